# Read in by scripts: --help prints the comment at the script's beginning, which says what it does and how it is called.
case ${1:-} in -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit 0 ;; esac
