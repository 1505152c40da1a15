# What `cmake --install` puts where, by component: a Debian package is a component (deploy/debian). lw_program installs the programs.
install(DIRECTORY walls DESTINATION share/lambdawall COMPONENT common FILES_MATCHING PATTERN *.toml PATTERN *.pfm)
install(FILES deploy/sysusers.d/lambdawall.conf DESTINATION lib/sysusers.d COMPONENT common)
install(FILES deploy/tmpfiles.d/lambdawall.conf DESTINATION lib/tmpfiles.d COMPONENT common)
install(DIRECTORY deploy/slurm DESTINATION share/lambdawall COMPONENT common USE_SOURCE_PERMISSIONS)

install(FILES deploy/systemd/lambdawall-server.service DESTINATION lib/systemd/system COMPONENT server)

install(FILES deploy/systemd/lambdawall-client@.service DESTINATION lib/systemd/system COMPONENT client)
install(FILES deploy/sysctl.d/50-lambdawall-client.conf DESTINATION lib/sysctl.d COMPONENT client)
install(FILES deploy/udev/60-lambdawall.rules DESTINATION lib/udev/rules.d COMPONENT common)

install(FILES deploy/systemd/lambdawall-relay@.service DESTINATION lib/systemd/system COMPONENT relay)
install(FILES deploy/sysctl.d/50-lambdawall-relay.conf DESTINATION lib/sysctl.d COMPONENT relay)

install(FILES deploy/systemd/lambdawall-probe.service DESTINATION lib/systemd/system COMPONENT probe)
install(DIRECTORY experiments DESTINATION share/lambdawall COMPONENT probe FILES_MATCHING PATTERN *.toml)

install(FILES deploy/desktop/lambdawall-control.desktop DESTINATION share/applications COMPONENT control)
install(FILES deploy/desktop/org.example.lambdawall.control.metainfo.xml DESTINATION share/metainfo COMPONENT control)
install(FILES deploy/desktop/lambdawall-control.svg DESTINATION share/icons/hicolor/scalable/apps COMPONENT control)
install(FILES deploy/desktop/lambdawall.xml DESTINATION share/mime/packages COMPONENT common)

install(DIRECTORY python/lambdawall DESTINATION lib/python3/dist-packages COMPONENT python PATTERN __pycache__ EXCLUDE)
install(DIRECTORY python/examples DESTINATION share/doc/python3-lambdawall COMPONENT python USE_SOURCE_PERMISSIONS PATTERN __pycache__ EXCLUDE)

install(FILES README.md CHANGELOG.md CONTRIBUTING.md DESTINATION share/doc/lambdawall COMPONENT doc)
install(DIRECTORY docs walls DESTINATION share/doc/lambdawall COMPONENT doc)
install(DIRECTORY deploy/container deploy/grafana deploy/hosts deploy/keepalived deploy/prometheus DESTINATION share/doc/lambdawall/deploy COMPONENT doc)
install(DIRECTORY deploy/ansible deploy/pscheduler DESTINATION share/doc/lambdawall/deploy COMPONENT doc USE_SOURCE_PERMISSIONS PATTERN __pycache__ EXCLUDE)

# lw_command_line_files(PROGRAM COMPONENT): writes the manual pages and the completions of shells when it is installed; the program itself makes them, from the texts of its --help.
function(lw_command_line_files program component)
  set(share "\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/share")
  set(bash ${share}/bash-completion/completions)
  set(zsh ${share}/zsh/vendor-completions)
  install(CODE "execute_process(COMMAND $<TARGET_FILE:${program}> --man ${share}/man/man1 COMMAND_ERROR_IS_FATAL ANY)
file(MAKE_DIRECTORY ${bash} ${zsh})
execute_process(COMMAND $<TARGET_FILE:${program}> --completion bash OUTPUT_FILE ${bash}/${program} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND $<TARGET_FILE:${program}> --completion zsh OUTPUT_FILE ${zsh}/_${program} COMMAND_ERROR_IS_FATAL ANY)" COMPONENT ${component})
endfunction()
