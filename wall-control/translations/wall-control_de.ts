<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE" sourcelanguage="en">
<context>
    <name>AccessQuestions</name>
    <message>
        <source>Copy fingerprint</source>
        <translation>Fingerabdruck kopieren</translation>
    </message>
    <message>
        <source>Is this the server you expect?</source>
        <translation>Ist das der erwartete Server?</translation>
    </message>
    <message>
        <source>%1 is new to this computer. Compare its fingerprint with the output of this command on that host:
wall-server --fingerprint</source>
        <translation>%1 ist diesem Rechner neu. Den Fingerabdruck mit der Ausgabe dieses Befehls auf jenem Host vergleichen:
wall-server --fingerprint</translation>
    </message>
    <message>
        <source>Fingerprint of the server</source>
        <translation>Fingerabdruck des Servers</translation>
    </message>
    <message>
        <source>Trust and connect</source>
        <translation>Vertrauen und verbinden</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>The server&apos;s certificate has changed</source>
        <translation>Das Zertifikat des Servers hat sich geändert</translation>
    </message>
    <message>
        <source>The certificate is not valid</source>
        <translation>Das Zertifikat ist nicht gültig</translation>
    </message>
    <message>
        <source>%1 is not connected, and nothing was sent to it. Somebody may be in between, or the server has a new certificate. Known until now:</source>
        <translation>%1 ist nicht verbunden, und es wurde nichts dorthin gesendet. Vielleicht ist jemand dazwischen, oder der Server hat ein neues Zertifikat. Bisher bekannt:</translation>
    </message>
    <message>
        <source>Known fingerprint</source>
        <translation>Bekannter Fingerabdruck</translation>
    </message>
    <message>
        <source>Shown now:</source>
        <translation>Jetzt gezeigt:</translation>
    </message>
    <message>
        <source>Fingerprint shown now</source>
        <translation>Jetzt gezeigter Fingerabdruck</translation>
    </message>
    <message>
        <source>If the change is intended, remove its line from %1 and connect again.</source>
        <translation>Ist die Änderung gewollt, die Zeile des Servers aus %1 entfernen und erneut verbinden.</translation>
    </message>
    <message>
        <source>%1 is not connected: %2</source>
        <translation>%1 ist nicht verbunden: %2</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>Alarm</name>
    <message>
        <source>alarm %1: %2</source>
        <translation>Alarm %1: %2</translation>
    </message>
    <message>
        <source>unknown member &apos;%1&apos;</source>
        <translation>unbekanntes Element „%1“</translation>
    </message>
    <message>
        <source>use %1</source>
        <translation>erlaubt sind %1</translation>
    </message>
    <message>
        <source>&quot;quantity&quot; is none that is known</source>
        <translation>&quot;quantity&quot; ist keine bekannte Größe</translation>
    </message>
    <message>
        <source>use one of %1</source>
        <translation>eine von %1 verwenden</translation>
    </message>
    <message>
        <source>it needs a threshold</source>
        <translation>eine Schwelle fehlt</translation>
    </message>
    <message>
        <source>write either &quot;above&quot; or &quot;below&quot;</source>
        <translation>entweder &quot;above&quot; oder &quot;below&quot; schreiben</translation>
    </message>
    <message>
        <source>write a number in the quantity&apos;s unit</source>
        <translation>eine Zahl in der Einheit der Größe schreiben</translation>
    </message>
    <message>
        <source>the threshold is no number</source>
        <translation>die Schwelle ist keine Zahl</translation>
    </message>
    <message>
        <source>&quot;hysteresis&quot; is no number from 0 on</source>
        <translation>&quot;hysteresis&quot; ist keine Zahl ab 0</translation>
    </message>
    <message>
        <source>&quot;hold_s&quot; is out of range</source>
        <translation>&quot;hold_s&quot; liegt außerhalb des Bereichs</translation>
    </message>
    <message>
        <source>write seconds from 0 to %1</source>
        <translation>Sekunden von 0 bis %1 schreiben</translation>
    </message>
    <message>
        <source>&quot;severity&quot; is not known</source>
        <translation>&quot;severity&quot; ist nicht bekannt</translation>
    </message>
    <message>
        <source>write &quot;warning&quot; or &quot;error&quot;</source>
        <translation>&quot;warning&quot; oder &quot;error&quot; schreiben</translation>
    </message>
    <message>
        <source>%1 below %2 %3</source>
        <translation>%1 unter %2 %3</translation>
    </message>
    <message>
        <source>%1 above %2 %3</source>
        <translation>%1 über %2 %3</translation>
    </message>
    <message>
        <source>no alarms in it</source>
        <translation>keine Alarme darin</translation>
    </message>
    <message>
        <source>write {&quot;alarms&quot;: [...]}, as Export does</source>
        <translation>{&quot;alarms&quot;: [...]} schreiben, wie „Exportieren“ es tut</translation>
    </message>
    <message>
        <source>too many alarms</source>
        <translation>zu viele Alarme</translation>
    </message>
    <message>
        <source>at most %1</source>
        <translation>höchstens %1</translation>
    </message>
</context>
<context>
    <name>Alarms</name>
    <message>
        <source>alarm: %1: %2</source>
        <translation>Alarm: %1: %2</translation>
    </message>
    <message>
        <source>alarm ended: %1: %2</source>
        <translation>Alarm beendet: %1: %2</translation>
    </message>
    <message>
        <source>alarm acknowledged: %1: %2</source>
        <translation>Alarm quittiert: %1: %2</translation>
    </message>
</context>
<context>
    <name>AudienceView</name>
    <message>
        <source>on one display</source>
        <translation>auf einem Display</translation>
    </message>
    <message>
        <source>on %1 displays</source>
        <translation>auf %1 Displays</translation>
    </message>
    <message>
        <source>megapixels</source>
        <translation>Megapixel</translation>
    </message>
    <message>
        <source>Gbit/s</source>
        <translation>Gbit/s</translation>
    </message>
    <message>
        <source>live over the network</source>
        <translation>live über das Netz</translation>
    </message>
    <message>
        <source>repaired</source>
        <translation>repariert</translation>
    </message>
    <message>
        <source>of lost data, in time</source>
        <translation>der verlorenen Daten, rechtzeitig</translation>
    </message>
    <message>
        <source>frames a second</source>
        <translation>Bilder je Sekunde</translation>
    </message>
    <message>
        <source>all displays in step</source>
        <translation>alle Displays synchron</translation>
    </message>
    <message>
        <source>uncompressed</source>
        <translation>unkomprimiert</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>between displays</source>
        <translation>zwischen den Displays</translation>
    </message>
</context>
<context>
    <name>Causes</name>
    <message>
        <source>Tile %1,%2</source>
        <translation>Kachel %1,%2</translation>
    </message>
    <message>
        <source>%1 does not answer</source>
        <translation>%1 antwortet nicht</translation>
    </message>
    <message>
        <source>Its wall-client is not connected to the server: the host is off, the network to it is down, or the program has ended.</source>
        <translation>Sein wall-client ist nicht mit dem Server verbunden: Der Host ist aus, das Netz dorthin ist unterbrochen, oder das Programm ist beendet.</translation>
    </message>
    <message>
        <source>Not connected to the server</source>
        <translation>Nicht mit dem Server verbunden</translation>
    </message>
    <message>
        <source>Its newest report is %1 old.</source>
        <translation>Sein jüngster Bericht ist %1 alt.</translation>
    </message>
    <message>
        <source>It is connected, but no report of it arrives.</source>
        <translation>Er ist verbunden, aber kein Bericht von ihm kommt an.</translation>
    </message>
    <message>
        <source>No report for %1</source>
        <translation>Kein Bericht seit %1</translation>
    </message>
    <message>
        <source>No report arrives</source>
        <translation>Kein Bericht kommt an</translation>
    </message>
    <message>
        <source>1 tile without a picture</source>
        <translation>1 Kachel ohne Bild</translation>
    </message>
    <message>
        <source>%1 tiles without a picture</source>
        <translation>%1 Kacheln ohne Bild</translation>
    </message>
    <message>
        <source>The server sends to it in time</source>
        <translation>Der Server sendet rechtzeitig dorthin</translation>
    </message>
    <message>
        <source>%1 cannot empty its receive buffers</source>
        <translation>%1 kann seine Empfangspuffer nicht leeren</translation>
    </message>
    <message>
        <source>%1 of the lost packets were dropped by the node&apos;s kernel.</source>
        <translation>%1 der verlorenen Pakete hat der Kernel des Knotens verworfen.</translation>
    </message>
    <message>
        <source>Socket buffers overflow on the node</source>
        <translation>Socketpuffer laufen auf dem Knoten über</translation>
    </message>
    <message>
        <source>CPU %1 takes network interrupts and receives flow %2.</source>
        <translation>CPU %1 nimmt Netz-Interrupts an und empfängt Flow %2.</translation>
    </message>
    <message>
        <source>CPU %1 takes network interrupts and receives flows %2.</source>
        <translation>CPU %1 nimmt Netz-Interrupts an und empfängt die Flows %2.</translation>
    </message>
    <message>
        <source>Disk and server are on time</source>
        <translation>Datenträger und Server sind rechtzeitig</translation>
    </message>
    <message>
        <source>wall-client uses %1 of its %2 CPUs</source>
        <translation>wall-client nutzt %1 seiner %2 CPUs</translation>
    </message>
    <message>
        <source>Receive buffer: not measured; compare net.core.rmem_max</source>
        <translation>Empfangspuffer: nicht gemessen; net.core.rmem_max vergleichen</translation>
    </message>
    <message>
        <source>Packets are lost on the way to %1</source>
        <translation>Pakete gehen auf dem Weg zu %1 verloren</translation>
    </message>
    <message>
        <source>Packets are lost after %1</source>
        <translation>Pakete gehen hinter %1 verloren</translation>
    </message>
    <message>
        <source>Its kernel dropped hardly any of them: look at cables, switch counters and the network card&apos;s ring (ethtool -S).</source>
        <translation>Sein Kernel hat kaum welche davon verworfen: Kabel, Zähler des Switches und Ring der Netzwerkkarte (ethtool -S) prüfen.</translation>
    </message>
    <message>
        <source>Several nodes that the server reaches by this card lose packets: look at its link and the switch behind it.</source>
        <translation>Mehrere Knoten, die der Server über diese Karte erreicht, verlieren Pakete: ihre Leitung und den Switch dahinter prüfen.</translation>
    </message>
    <message>
        <source>%1 of its %2 flows lose packets</source>
        <translation>%1 seiner %2 Flows verlieren Pakete</translation>
    </message>
    <message>
        <source>Dropped by the node&apos;s kernel: %1</source>
        <translation>Vom Kernel des Knotens verworfen: %1</translation>
    </message>
    <message>
        <source>The server sends late: its disk is slow</source>
        <translation>Der Server sendet zu spät: Sein Datenträger ist langsam</translation>
    </message>
    <message>
        <source>Reading a frame takes %1 (p99), and a frame lasts %2.</source>
        <translation>Einen Frame zu lesen dauert %1 (p99), ein Frame dauert %2.</translation>
    </message>
    <message>
        <source>Disk read takes %1</source>
        <translation>Lesen vom Datenträger dauert %1</translation>
    </message>
    <message>
        <source>The server sends late: CPU %1</source>
        <translation>Der Server sendet zu spät: CPU %1</translation>
    </message>
    <message>
        <source>The server sends late</source>
        <translation>Der Server sendet zu spät</translation>
    </message>
    <message>
        <source>Flow %1 was sent up to %2 after its time, and a frame lasts %3.</source>
        <translation>Flow %1 wurde bis zu %2 nach seiner Zeit gesendet, ein Frame dauert %3.</translation>
    </message>
    <message>
        <source>Sent up to %1 late</source>
        <translation>Bis zu %1 zu spät gesendet</translation>
    </message>
    <message>
        <source>Disk read, p99: %1</source>
        <translation>Datenträger lesen, p99: %1</translation>
    </message>
    <message>
        <source>Largest delay of a burst: %1</source>
        <translation>Größte Verzögerung eines Bursts: %1</translation>
    </message>
    <message>
        <source>%1 drops no packets</source>
        <translation>%1 verwirft keine Pakete</translation>
    </message>
    <message>
        <source>%1 uploads slowly</source>
        <translation>%1 lädt langsam hoch</translation>
    </message>
    <message>
        <source>Copying a frame to its GPU takes %1 (p99), and %2 on the wall&apos;s median tile: look at the node&apos;s graphics driver and at what else uses the GPU.</source>
        <translation>Einen Frame auf die GPU zu kopieren dauert %1 (p99), auf der mittleren Kachel der Wand %2: Grafiktreiber des Knotens prüfen, und was die GPU sonst benutzt.</translation>
    </message>
    <message>
        <source>Upload takes %1, wall median %2</source>
        <translation>Upload dauert %1, Median der Wand %2</translation>
    </message>
    <message>
        <source>Upload, p99: %1</source>
        <translation>Upload, p99: %1</translation>
    </message>
    <message>
        <source>No packet is lost on the way</source>
        <translation>Kein Paket geht unterwegs verloren</translation>
    </message>
    <message>
        <source>The clock of %1 is off</source>
        <translation>Die Uhr von %1 geht falsch</translation>
    </message>
    <message>
        <source>It may be wrong by %1. Synchronize it by PTP or chrony.</source>
        <translation>Sie kann um %1 falsch gehen. Mit PTP oder chrony synchronisieren.</translation>
    </message>
    <message>
        <source>It differs from the wall&apos;s by %1. Synchronize it by PTP or chrony.</source>
        <translation>Sie weicht um %1 von der der Wand ab. Mit PTP oder chrony synchronisieren.</translation>
    </message>
    <message>
        <source>Clock error up to %1</source>
        <translation>Uhrenfehler bis %1</translation>
    </message>
    <message>
        <source>Clock off by %1</source>
        <translation>Uhr um %1 falsch</translation>
    </message>
    <message>
        <source>Clock error: %1</source>
        <translation>Uhrenfehler: %1</translation>
    </message>
    <message>
        <source>Cause unclear</source>
        <translation>Ursache unklar</translation>
    </message>
    <message>
        <source>The stage %1 is furthest from the wall&apos;s median: %2, and %3 on the wall.</source>
        <translation>Die Stufe %1 ist am weitesten vom Median der Wand entfernt: %2, auf der Wand %3.</translation>
    </message>
    <message>
        <source>%1 takes %2, wall median %3</source>
        <translation>%1 dauert %2, Median der Wand %3</translation>
    </message>
    <message>
        <source>No stage takes longer than on the wall&apos;s median tile.</source>
        <translation>Keine Stufe dauert länger als auf der mittleren Kachel der Wand.</translation>
    </message>
    <message>
        <source>%1 packets lost in 10 s</source>
        <translation>%1 Pakete in 10 s verloren</translation>
    </message>
</context>
<context>
    <name>Clock</name>
    <message>
        <source>Clock off: node %1 does not know the wall&apos;s time yet</source>
        <translation>Uhr falsch: Knoten %1 kennt die Zeit der Wand noch nicht</translation>
    </message>
    <message>
        <source>Clock off: node %1 keeps the wall&apos;s time without the server</source>
        <translation>Uhr falsch: Knoten %1 hält die Zeit der Wand ohne den Server</translation>
    </message>
    <message>
        <source>Clock off: that of node %1 may be %2 ms wrong, more than a frame lasts</source>
        <translation>Uhr falsch: die von Knoten %1 geht vielleicht um %2 ms falsch, mehr als ein Frame dauert</translation>
    </message>
</context>
<context>
    <name>ComputerFacts</name>
    <message>
        <source>1 CPU</source>
        <translation>1 CPU</translation>
    </message>
    <message>
        <source>%1 CPUs</source>
        <translation>%1 CPUs</translation>
    </message>
    <message>
        <source>%1, %2 GiB free</source>
        <translation>%1, %2 GiB frei</translation>
    </message>
    <message>
        <source>Enough for a 2 × 2 wall</source>
        <translation>Genug für eine Wand von 2 × 2</translation>
    </message>
    <message>
        <source>A 2 × 2 wall may stutter here</source>
        <translation>Eine Wand von 2 × 2 kann hier ruckeln</translation>
    </message>
    <message>
        <source>%1 KiB</source>
        <translation>%1 KiB</translation>
    </message>
    <message>
        <source>%1 MiB</source>
        <translation>%1 MiB</translation>
    </message>
    <message>
        <source>Receive buffers of %1</source>
        <translation>Empfangspuffer von %1</translation>
    </message>
    <message>
        <source>As large as a wall needs</source>
        <translation>So groß, wie eine Wand sie braucht</translation>
    </message>
    <message>
        <source>Fine here; too small above 1 Gbit/s</source>
        <translation>Hier gut; zu klein über 1 Gbit/s</translation>
    </message>
    <message>
        <source>Port 9010 is in use</source>
        <translation>Port 9010 ist belegt</translation>
    </message>
    <message>
        <source>A server may run on this computer already</source>
        <translation>Vielleicht läuft hier schon ein Server</translation>
    </message>
    <message>
        <source>Port 9010 is free</source>
        <translation>Port 9010 ist frei</translation>
    </message>
    <message>
        <source>For a server on this computer</source>
        <translation>Für einen Server auf diesem Rechner</translation>
    </message>
</context>
<context>
    <name>Event</name>
    <message>
        <source>info</source>
        <translation>Info</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>node %1</source>
        <translation>Knoten %1</translation>
    </message>
    <message>
        <source>tile %1,%2</source>
        <translation>Kachel %1,%2</translation>
    </message>
    <message>
        <source>flow %1</source>
        <translation>Flow %1</translation>
    </message>
    <message>
        <source>Tile %1,%2</source>
        <translation>Kachel %1,%2</translation>
    </message>
    <message>
        <source>Flow %1</source>
        <translation>Flow %1</translation>
    </message>
    <message>
        <source>This program</source>
        <translation>Dieses Programm</translation>
    </message>
    <message>
        <source>Playlist</source>
        <translation>Playlist</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>Bibliothek</translation>
    </message>
    <message>
        <source>Wall</source>
        <translation>Wand</translation>
    </message>
</context>
<context>
    <name>Export</name>
    <message>
        <source>%1: use a name that ends with .csv, .json, .png, .svg or .pdf</source>
        <translation>%1: einen Namen mit der Endung .csv, .json, .png, .svg oder .pdf verwenden</translation>
    </message>
    <message>
        <source>no time recorded</source>
        <translation>keine Zeit aufgezeichnet</translation>
    </message>
    <message>
        <source>%1 to %2 %3</source>
        <translation>%1 bis %2 %3</translation>
    </message>
    <message>
        <source>cannot write %1: %2</source>
        <translation>%1 lässt sich nicht schreiben: %2</translation>
    </message>
</context>
<context>
    <name>FigureText</name>
    <message>
        <source>µs</source>
        <translation>µs</translation>
    </message>
    <message>
        <source>s</source>
        <translation>s</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>%</source>
        <translation>%</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 min</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 h %2 min</translation>
    </message>
    <message>
        <source>%1, limit %2</source>
        <translation>%1, Grenze %2</translation>
    </message>
</context>
<context>
    <name>FlowHistory</name>
    <message>
        <source>flow %1</source>
        <translation>Flow %1</translation>
    </message>
    <message>
        <source>tile %1,%2</source>
        <translation>Kachel %1,%2</translation>
    </message>
    <message>
        <source>wall</source>
        <translation>Wand</translation>
    </message>
</context>
<context>
    <name>FlowPaths</name>
    <message>
        <source>Server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>Server&apos;s interface</source>
        <translation>Schnittstelle des Servers</translation>
    </message>
    <message>
        <source>Path</source>
        <translation>Weg</translation>
    </message>
    <message>
        <source>Node&apos;s interface</source>
        <translation>Schnittstelle des Knotens</translation>
    </message>
    <message>
        <source>Node&apos;s CPU</source>
        <translation>CPU des Knotens</translation>
    </message>
    <message>
        <source>Socket buffer</source>
        <translation>Socket-Puffer</translation>
    </message>
    <message>
        <source>CPU %1</source>
        <translation>CPU %1</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Sends up to %1 late</source>
        <translation>Sendet bis zu %1 zu spät</translation>
    </message>
    <message>
        <source>Disk read, p99: %1</source>
        <translation>Datenträger lesen, p99: %1</translation>
    </message>
    <message>
        <source>Lateness not measured</source>
        <translation>Verspätung nicht gemessen</translation>
    </message>
    <message>
        <source>Hardware not known yet</source>
        <translation>Hardware noch nicht bekannt</translation>
    </message>
    <message>
        <source>The wall file names no interfaces</source>
        <translation>Die Wanddatei nennt keine Schnittstellen</translation>
    </message>
    <message>
        <source>Carries %1 Gbit/s</source>
        <translation>Trägt %1 Gbit/s</translation>
    </message>
    <message>
        <source>Speed of the link not known</source>
        <translation>Geschwindigkeit der Verbindung nicht bekannt</translation>
    </message>
    <message>
        <source>Carries %1 of %2 Gbit/s</source>
        <translation>Trägt %1 von %2 Gbit/s</translation>
    </message>
    <message>
        <source>To %1</source>
        <translation>Zu %1</translation>
    </message>
    <message>
        <source>Loss not measured</source>
        <translation>Verlust nicht gemessen</translation>
    </message>
    <message>
        <source>No packet lost</source>
        <translation>Kein Paket verloren</translation>
    </message>
    <message>
        <source>%1 packets/s lost, here or in the buffer</source>
        <translation>%1 Pakete/s verloren, hier oder im Puffer</translation>
    </message>
    <message>
        <source>%1 packets/s lost</source>
        <translation>%1 Pakete/s verloren</translation>
    </message>
    <message>
        <source>In flight, p99: up to %1</source>
        <translation>Unterwegs, p99: bis %1</translation>
    </message>
    <message>
        <source>Round trip %1</source>
        <translation>Umlaufzeit %1</translation>
    </message>
    <message>
        <source>%1, CPU %2</source>
        <translation>%1, CPU %2</translation>
    </message>
    <message>
        <source>Runs %1</source>
        <translation>Läuft %1</translation>
    </message>
    <message>
        <source>No placement conflict found</source>
        <translation>Kein Konflikt der Platzierung gefunden</translation>
    </message>
    <message>
        <source>wall-client uses %1 of %2 CPUs</source>
        <translation>wall-client nutzt %1 von %2 CPUs</translation>
    </message>
    <message>
        <source>Load not measured</source>
        <translation>Last nicht gemessen</translation>
    </message>
    <message>
        <source>Drops not measured</source>
        <translation>Drops nicht gemessen</translation>
    </message>
    <message>
        <source>No packet dropped</source>
        <translation>Kein Paket verworfen</translation>
    </message>
    <message>
        <source>%1 packets/s dropped, %2 of the lost</source>
        <translation>%1 Pakete/s verworfen, %2 der verlorenen</translation>
    </message>
    <message>
        <source>%1 of the lost repaired</source>
        <translation>%1 der verlorenen repariert</translation>
    </message>
    <message>
        <source>Socket of flow %1</source>
        <translation>Socket von Flow %1</translation>
    </message>
</context>
<context>
    <name>Health</name>
    <message>
        <source>No answer</source>
        <translation>Keine Antwort</translation>
    </message>
    <message>
        <source>No picture</source>
        <translation>Kein Bild</translation>
    </message>
    <message>
        <source>%1 not shown</source>
        <translation>%1 nicht gezeigt</translation>
    </message>
    <message>
        <source>%1 concealed</source>
        <translation>%1 verdeckt</translation>
    </message>
    <message>
        <source>%1 late</source>
        <translation>%1 verspätet</translation>
    </message>
    <message>
        <source>dark for %1</source>
        <translation>dunkel seit %1</translation>
    </message>
    <message>
        <source>%1 loss</source>
        <translation>%1 Verlust</translation>
    </message>
    <message>
        <source>%1 behind</source>
        <translation>%1 zurück</translation>
    </message>
    <message>
        <source>Recovering</source>
        <translation>Erholt sich</translation>
    </message>
    <message>
        <source>No connection</source>
        <translation>Keine Verbindung</translation>
    </message>
    <message>
        <source>Nothing is playing</source>
        <translation>Nichts läuft</translation>
    </message>
    <message>
        <source>Picture faults on 1 tile</source>
        <translation>Bildfehler auf 1 Kachel</translation>
    </message>
    <message>
        <source>Picture faults on %1 tiles</source>
        <translation>Bildfehler auf %1 Kacheln</translation>
    </message>
    <message>
        <source>Degraded, picture intact</source>
        <translation>Beeinträchtigt, Bild intakt</translation>
    </message>
    <message>
        <source>Wall healthy</source>
        <translation>Wand in Ordnung</translation>
    </message>
    <message>
        <source>%1 of %2 tiles are ready</source>
        <translation>%1 von %2 Kacheln sind bereit</translation>
    </message>
    <message>
        <source>%1 of %2 tiles in step</source>
        <translation>%1 von %2 Kacheln synchron</translation>
    </message>
    <message>
        <source>last alarm %1 ago</source>
        <translation>letzter Alarm vor %1</translation>
    </message>
    <message>
        <source>last alarm %1 ago, cleared</source>
        <translation>letzter Alarm vor %1, vorbei</translation>
    </message>
    <message>
        <source>tile %1,%2</source>
        <translation>Kachel %1,%2</translation>
    </message>
</context>
<context>
    <name>HealthFigures</name>
    <message>
        <source>sum of all flows</source>
        <translation>Summe aller Flows</translation>
    </message>
    <message>
        <source>%1 of the %2 Gbit/s link</source>
        <translation>%1 der Leitung von %2 Gbit/s</translation>
    </message>
    <message>
        <source>%1 of %2 × %3 Gbit/s</source>
        <translation>%1 von %2 × %3 Gbit/s</translation>
    </message>
    <message>
        <source>%1 of %2 Gbit/s</source>
        <translation>%1 von %2 Gbit/s</translation>
    </message>
    <message>
        <source>%1 of all</source>
        <translation>%1 von allen</translation>
    </message>
    <message>
        <source>%1 recovered</source>
        <translation>%1 repariert</translation>
    </message>
    <message>
        <source>none in the last hour</source>
        <translation>keiner in der letzten Stunde</translation>
    </message>
    <message>
        <source>none in 1 h</source>
        <translation>keiner in 1 h</translation>
    </message>
    <message>
        <source>%1 in the last hour, all recovered</source>
        <translation>%1 in der letzten Stunde, alle repariert</translation>
    </message>
    <message>
        <source>%1 in the last hour</source>
        <translation>%1 in der letzten Stunde</translation>
    </message>
    <message>
        <source>%1 in 1 h</source>
        <translation>%1 in 1 h</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>Durchsatz</translation>
    </message>
    <message>
        <source>Packet loss</source>
        <translation>Paketverlust</translation>
    </message>
    <message>
        <source>Interarrival jitter</source>
        <translation>Interarrival-Jitter</translation>
    </message>
    <message>
        <source>Skew, p99</source>
        <translation>Versatz, p99</translation>
    </message>
    <message>
        <source>Lateness, p99</source>
        <translation>Verspätung, p99</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Verlust</translation>
    </message>
    <message>
        <source>Jitter</source>
        <translation>Jitter</translation>
    </message>
    <message>
        <source>Skew</source>
        <translation>Versatz</translation>
    </message>
    <message>
        <source>Lateness</source>
        <translation>Verspätung</translation>
    </message>
    <message>
        <source>limit %1</source>
        <translation>Grenze %1</translation>
    </message>
    <message>
        <source>worst of %1 flows</source>
        <translation>schlechtester von %1 Flows</translation>
    </message>
    <message>
        <source>clock error not known</source>
        <translation>Uhrenfehler unbekannt</translation>
    </message>
    <message>
        <source>%1 behind the others</source>
        <translation>%1 hinter den anderen</translation>
    </message>
    <message>
        <source>between tiles</source>
        <translation>zwischen Kacheln</translation>
    </message>
    <message>
        <source>playout delay %1</source>
        <translation>Playout-Delay %1</translation>
    </message>
</context>
<context>
    <name>HiddenDocks</name>
    <message>
        <source>Hidden: %1</source>
        <translation>Ausgeblendet: %1</translation>
    </message>
</context>
<context>
    <name>Inspector</name>
    <message>
        <source>1 frame</source>
        <translation>1 Frame</translation>
    </message>
    <message>
        <source>%1 frames</source>
        <translation>%1 Frames</translation>
    </message>
    <message>
        <source>Since the node&apos;s wall-client started.</source>
        <translation>Seit der wall-client des Knotens gestartet ist.</translation>
    </message>
    <message>
        <source>Frame rate</source>
        <translation>Bildrate</translation>
    </message>
    <message>
        <source>Swaps with a new frame, mean of the last second.</source>
        <translation>Swaps mit neuem Frame, Mittel der letzten Sekunde.</translation>
    </message>
    <message>
        <source>Frame</source>
        <translation>Frame</translation>
    </message>
    <message>
        <source>Number of the visualization&apos;s frame that the tile shows.</source>
        <translation>Nummer des Frames der Visualisierung, den die Kachel zeigt.</translation>
    </message>
    <message>
        <source>Lateness, p99</source>
        <translation>Verspätung, p99</translation>
    </message>
    <message>
        <source>Skew</source>
        <translation>Versatz</translation>
    </message>
    <message>
        <source>Of the newest frame that all tiles showed: this tile&apos;s swap less the earliest of all.</source>
        <translation>Vom neuesten Frame, den alle Kacheln zeigten: Swap dieser Kachel minus der früheste von allen.</translation>
    </message>
    <message>
        <source>Concealed</source>
        <translation>Verdeckt</translation>
    </message>
    <message>
        <source>Frames shown with rows of the frame before where packets are missing.</source>
        <translation>Gezeigte Frames mit Zeilen des vorigen Frames, wo Pakete fehlen.</translation>
    </message>
    <message>
        <source>Not shown</source>
        <translation>Nicht gezeigt</translation>
    </message>
    <message>
        <source>Frames due of which nothing arrived, or a newer one was due at the same swap.</source>
        <translation>Fällige Frames, von denen nichts ankam oder ein neuerer beim selben Swap fällig war.</translation>
    </message>
    <message>
        <source>Late</source>
        <translation>Verspätet</translation>
    </message>
    <message>
        <source>Frames swapped more than one frame interval after their presentation time.</source>
        <translation>Frames mit einem Swap mehr als ein Frameintervall nach ihrer Präsentationszeit.</translation>
    </message>
    <message>
        <source>Recovered</source>
        <translation>Repariert</translation>
    </message>
    <message>
        <source>Complete frames with packets that were lost and recovered.</source>
        <translation>Vollständige Frames mit Paketen, die verloren gingen und repariert wurden.</translation>
    </message>
    <message>
        <source>Node load</source>
        <translation>Knotenlast</translation>
    </message>
    <message>
        <source>CPU time of the node&apos;s wall-client by that of the CPUs that it may run on, mean of the last second.</source>
        <translation>CPU-Zeit des wall-client des Knotens durch die der CPUs, auf denen er laufen darf, Mittel der letzten Sekunde.</translation>
    </message>
    <message>
        <source>Clock error</source>
        <translation>Uhrenfehler</translation>
    </message>
    <message>
        <source>The node&apos;s clock is off from the server&apos;s by no more.</source>
        <translation>Die Uhr des Knotens weicht höchstens so weit von der des Servers ab.</translation>
    </message>
    <message>
        <source>Sum over the tiles, since their nodes started.</source>
        <translation>Summe über die Kacheln, seit ihre Knoten gestartet sind.</translation>
    </message>
    <message>
        <source>Tiles</source>
        <translation>Kacheln</translation>
    </message>
    <message>
        <source>Flows</source>
        <translation>Flows</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>Durchsatz</translation>
    </message>
    <message>
        <source>Sum of the flows.</source>
        <translation>Summe der Flows.</translation>
    </message>
    <message>
        <source>Packet loss</source>
        <translation>Paketverlust</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/s</translation>
    </message>
    <message>
        <source>Jitter, worst</source>
        <translation>Jitter, größter</translation>
    </message>
    <message>
        <source>Lateness, worst</source>
        <translation>Verspätung, größte</translation>
    </message>
    <message>
        <source>Furthest behind</source>
        <translation>Am weitesten zurück</translation>
    </message>
    <message>
        <source>Of the newest frame that all tiles showed: the tile&apos;s swap less the earliest of all.</source>
        <translation>Vom neuesten Frame, den alle Kacheln zeigten: Swap der Kachel minus der früheste von allen.</translation>
    </message>
    <message>
        <source>Skew, p99</source>
        <translation>Versatz, p99</translation>
    </message>
    <message>
        <source>Playout delay</source>
        <translation>Playout-Delay</translation>
    </message>
</context>
<context>
    <name>Machines</name>
    <message>
        <source>queue %1</source>
        <translation>Queue %1</translation>
    </message>
    <message>
        <source> of CPU %1</source>
        <translation> von CPU %1</translation>
    </message>
    <message>
        <source>, interrupt %1</source>
        <translation>, Interrupt %1</translation>
    </message>
    <message>
        <source> on CPU %1</source>
        <translation> auf CPU %1</translation>
    </message>
    <message>
        <source>%1 Gbit/s</source>
        <translation>%1 Gbit/s</translation>
    </message>
    <message>
        <source>MTU %1</source>
        <translation>MTU %1</translation>
    </message>
    <message>
        <source>rotating</source>
        <translation>rotierend</translation>
    </message>
    <message>
        <source>NUMA node %1</source>
        <translation>NUMA-Knoten %1</translation>
    </message>
    <message>
        <source>, %1 GiB</source>
        <translation>, %1 GiB</translation>
    </message>
    <message>
        <source>on NUMA node %1, but %2 is on node %3: every packet crosses between the nodes</source>
        <translation>auf NUMA-Knoten %1, aber %2 ist an Knoten %3: Jedes Paket kreuzt zwischen den Knoten</translation>
    </message>
    <message>
        <source>on the CPU that takes an interrupt of %1: they hold each other up</source>
        <translation>auf der CPU, die einen Interrupt von %1 annimmt: Sie halten einander auf</translation>
    </message>
    <message>
        <source>on one core with flow %1 while other cores have none</source>
        <translation>auf einem Kern mit Flow %1, während andere Kerne keinen haben</translation>
    </message>
</context>
<context>
    <name>PlaylistDraft</name>
    <message>
        <source>is no object</source>
        <translation>ist kein Objekt</translation>
    </message>
    <message>
        <source>is wrong: %1</source>
        <translation>ist falsch: %1</translation>
    </message>
    <message>
        <source>has no name</source>
        <translation>hat keinen Namen</translation>
    </message>
    <message>
        <source>has both loops and seconds</source>
        <translation>hat sowohl loops als auch seconds</translation>
    </message>
    <message>
        <source>once</source>
        <translation>einmal</translation>
    </message>
    <message>
        <source>%1 passes</source>
        <translation>%1 Durchläufe</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>until Next</source>
        <translation>bis „Nächster“</translation>
    </message>
    <message>
        <source>it is no JSON: %1 at byte %2</source>
        <translation>kein JSON: %1 bei Byte %2</translation>
    </message>
    <message>
        <source>it is no playlist of version %1</source>
        <translation>keine Playlist der Version %1</translation>
    </message>
    <message>
        <source>it has no entries</source>
        <translation>ohne Einträge</translation>
    </message>
    <message>
        <source>repeat must be true or false</source>
        <translation>repeat muss true oder false sein</translation>
    </message>
    <message>
        <source>it has more than %1 entries</source>
        <translation>mehr als %1 Einträge</translation>
    </message>
    <message>
        <source>entry %1 %2</source>
        <translation>Eintrag %1 %2</translation>
    </message>
</context>
<context>
    <name>Problems</name>
    <message>
        <source>Tile %1,%2</source>
        <translation>Kachel %1,%2</translation>
    </message>
    <message>
        <source>All nodes</source>
        <translation>Alle Knoten</translation>
    </message>
    <message>
        <source>The wall</source>
        <translation>Die Wand</translation>
    </message>
    <message>
        <source>node %1</source>
        <translation>Knoten %1</translation>
    </message>
    <message>
        <source>all nodes behind %1</source>
        <translation>allen Knoten hinter %1</translation>
    </message>
    <message>
        <source>all nodes</source>
        <translation>allen Knoten</translation>
    </message>
    <message>
        <source>1 tile without a picture</source>
        <translation>1 Kachel ohne Bild</translation>
    </message>
    <message>
        <source>%1 tiles without a picture</source>
        <translation>%1 Kacheln ohne Bild</translation>
    </message>
    <message>
        <source>No picture from %1</source>
        <translation>Kein Bild von %1</translation>
    </message>
    <message>
        <source>no picture from %1</source>
        <translation>kein Bild von %1</translation>
    </message>
    <message>
        <source>Had no picture, shows it again</source>
        <translation>War ohne Bild, zeigt es wieder</translation>
    </message>
    <message>
        <source>%1 had no picture</source>
        <translation>%1 war ohne Bild</translation>
    </message>
    <message>
        <source>Packet loss, %1</source>
        <translation>Paketverlust, %1</translation>
    </message>
    <message>
        <source>Packet loss on %1 of its %2 tiles</source>
        <translation>Paketverlust auf %1 seiner %2 Kacheln</translation>
    </message>
    <message>
        <source>Packet loss on %1</source>
        <translation>Paketverlust auf %1</translation>
    </message>
    <message>
        <source>packet loss on %1</source>
        <translation>Paketverlust auf %1</translation>
    </message>
    <message>
        <source>Nothing arrives</source>
        <translation>Nichts kommt an</translation>
    </message>
    <message>
        <source>Nothing arrives at %1</source>
        <translation>Nichts kommt an bei %1</translation>
    </message>
    <message>
        <source>%1 is dark</source>
        <translation>%1 ist dunkel</translation>
    </message>
    <message>
        <source>Late: lateness p99 %1</source>
        <translation>Verspätet: Verspätung p99 %1</translation>
    </message>
    <message>
        <source>Late</source>
        <translation>Verspätet</translation>
    </message>
    <message>
        <source>Late frames on %1</source>
        <translation>Verspätete Frames auf %1</translation>
    </message>
    <message>
        <source>%1 is late</source>
        <translation>%1 ist verspätet</translation>
    </message>
    <message>
        <source>%1 behind the others</source>
        <translation>%1 hinter den anderen</translation>
    </message>
    <message>
        <source>Behind the others</source>
        <translation>Hinter den anderen</translation>
    </message>
    <message>
        <source>Skew on %1</source>
        <translation>Versatz auf %1</translation>
    </message>
    <message>
        <source>%1 is behind</source>
        <translation>%1 ist zurück</translation>
    </message>
    <message>
        <source>Frames incomplete or missing</source>
        <translation>Frames unvollständig oder fehlend</translation>
    </message>
    <message>
        <source>Incomplete frames on %1</source>
        <translation>Unvollständige Frames auf %1</translation>
    </message>
    <message>
        <source>%1 is incomplete</source>
        <translation>%1 ist unvollständig</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>Recovering</source>
        <translation>Erholt sich</translation>
    </message>
    <message>
        <source>%1 is recovering</source>
        <translation>%1 erholt sich</translation>
    </message>
    <message>
        <source>on %1</source>
        <translation>auf %1</translation>
    </message>
    <message>
        <source>1 tile shows it</source>
        <translation>1 Kachel zeigt es</translation>
    </message>
    <message>
        <source>%1 tiles show it</source>
        <translation>%1 Kacheln zeigen es</translation>
    </message>
    <message>
        <source>for %1</source>
        <translation>seit %1</translation>
    </message>
    <message>
        <source>1 more problem: %1</source>
        <translation>1 weiteres Problem: %1</translation>
    </message>
    <message>
        <source>%1 more: %2</source>
        <translation>%1 weitere: %2</translation>
    </message>
</context>
<context>
    <name>Profiles</name>
    <message>
        <source>&apos;%1&apos; is not an address; write HOST:PORT</source>
        <translation>„%1“ ist keine Adresse; HOST:PORT schreiben</translation>
    </message>
    <message>
        <source>a wall needs a name of 1 to %1 characters</source>
        <translation>eine Wand braucht einen Namen von 1 bis %1 Zeichen</translation>
    </message>
    <message>
        <source>that is not a token; it begins with lw- and has 64 hex digits</source>
        <translation>das ist kein Token; es beginnt mit lw- und hat 64 Hexadezimalziffern</translation>
    </message>
    <message>
        <source>%1 connections are saved already; remove one first</source>
        <translation>%1 Verbindungen sind schon gespeichert; zuerst eine entfernen</translation>
    </message>
</context>
<context>
    <name>QObject</name>
    <message>
        <source>refused: token: %1: %2; give one with --token-file or LAMBDAWALL_TOKEN</source>
        <translation>abgelehnt: Token: %1: %2; eines mit --token-file oder LAMBDAWALL_TOKEN angeben</translation>
    </message>
    <message>
        <source>refused: %1: %2; again in %3 s</source>
        <translation>abgelehnt: %1: %2; wieder in %3 s</translation>
    </message>
    <message>
        <source>refused: %1: %2</source>
        <translation>abgelehnt: %1: %2</translation>
    </message>
    <message>
        <source>no answer from %1: %2; is the wall-server running, and is this its control address?</source>
        <translation>keine Antwort von %1: %2; läuft wall-server, und ist das seine Steueradresse?</translation>
    </message>
    <message>
        <source>no answer from %1 within 10 s; is it a wall-server?</source>
        <translation>keine Antwort von %1 innerhalb von 10 s; ist es ein wall-server?</translation>
    </message>
</context>
<context>
    <name>QPlatformTheme</name>
    <message>
        <source>OK</source>
        <translation>OK</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>Quantity</name>
    <message>
        <source>Throughput</source>
        <translation>Durchsatz</translation>
    </message>
    <message>
        <source>UDP payload received, over each tenth of a second.</source>
        <translation>Empfangene UDP-Nutzdaten, über jede Zehntelsekunde.</translation>
    </message>
    <message>
        <source>Interarrival jitter</source>
        <translation>Interarrival-Jitter</translation>
    </message>
    <message>
        <source>RFC 3550 section 6.4.1, over the first packet of each frame.</source>
        <translation>RFC 3550 Abschnitt 6.4.1, über das erste Paket jedes Frames.</translation>
    </message>
    <message>
        <source>Delay, p99</source>
        <translation>Laufzeit, p99</translation>
    </message>
    <message>
        <source>Arrival of a frame&apos;s first packet less its media time, newest 256 frames. Absent where nobody vouches for the clocks.</source>
        <translation>Ankunft des ersten Pakets eines Frames minus seine Medienzeit, neueste 256 Frames. Fehlt, wo nichts für die Uhren bürgt.</translation>
    </message>
    <message>
        <source>Frames complete after, p99</source>
        <translation>Frames vollständig nach, p99</translation>
    </message>
    <message>
        <source>Arrival of a frame&apos;s last packet less its media time, newest 512 frames. The playout delay must be some 10 ms above it.</source>
        <translation>Ankunft des letzten Pakets eines Frames minus seine Medienzeit, neueste 512 Frames. Das Playout-Delay muss etwa 10 ms darüber liegen.</translation>
    </message>
    <message>
        <source>Packets lost</source>
        <translation>Verlorene Pakete</translation>
    </message>
    <message>
        <source>Packets that had not arrived when the flow was 1024 packets further or had ended, so that reordered packets do not count (RFC 7680).</source>
        <translation>Pakete, die nicht angekommen waren, als der Flow 1024 Pakete weiter oder zu Ende war; umgeordnete Pakete zählen also nicht (RFC 7680).</translation>
    </message>
    <message>
        <source>Kernel drops</source>
        <translation>Kernel-Drops</translation>
    </message>
    <message>
        <source>Of the lost packets, those that the node&apos;s kernel dropped at the full socket.</source>
        <translation>Von den verlorenen Paketen die, die der Kernel des Knotens am vollen Socket verworfen hat.</translation>
    </message>
    <message>
        <source>Packets resent</source>
        <translation>Erneut gesendete Pakete</translation>
    </message>
    <message>
        <source>Lost packets that a resend made good in time.</source>
        <translation>Verlorene Pakete, die eine Neusendung rechtzeitig ersetzt hat.</translation>
    </message>
    <message>
        <source>Packets rebuilt</source>
        <translation>Rekonstruierte Pakete</translation>
    </message>
    <message>
        <source>Lost packets that were rebuilt from forward error correction.</source>
        <translation>Verlorene Pakete, die aus der Vorwärtsfehlerkorrektur rekonstruiert wurden.</translation>
    </message>
    <message>
        <source>Packets reordered</source>
        <translation>Umgeordnete Pakete</translation>
    </message>
    <message>
        <source>Packets that came with a number below the highest so far (RFC 4737).</source>
        <translation>Pakete mit einer Nummer unter der bisher höchsten (RFC 4737).</translation>
    </message>
    <message>
        <source>Packets late</source>
        <translation>Verspätete Pakete</translation>
    </message>
    <message>
        <source>Packets whose band was already given up or shown.</source>
        <translation>Pakete, deren Band schon aufgegeben oder gezeigt war.</translation>
    </message>
    <message>
        <source>Time to read, p99</source>
        <translation>Lesedauer, p99</translation>
    </message>
    <message>
        <source>From asking for a frame&apos;s read to having it in memory, newest 256 frames read.</source>
        <translation>Vom Auftrag, einen Frame zu lesen, bis er im Speicher ist, neueste 256 gelesene Frames.</translation>
    </message>
    <message>
        <source>Time in the queue, p99</source>
        <translation>Zeit in der Queue, p99</translation>
    </message>
    <message>
        <source>From a frame in memory to its first packet sent, newest 256 frames. Frames are read 100 ms ahead.</source>
        <translation>Vom Frame im Speicher bis zu seinem ersten gesendeten Paket, neueste 256 Frames. Frames werden 100 ms im Voraus gelesen.</translation>
    </message>
    <message>
        <source>Time to send, p99</source>
        <translation>Sendedauer, p99</translation>
    </message>
    <message>
        <source>From the first packet of a frame to the last one handed to the kernel, newest 256 frames.</source>
        <translation>Vom ersten bis zum letzten Paket eines Frames, das an den Kernel geht, neueste 256 Frames.</translation>
    </message>
    <message>
        <source>Time in flight, p99</source>
        <translation>Zeit unterwegs, p99</translation>
    </message>
    <message>
        <source>From a frame&apos;s first packet sent to its arrival, newest 256 frames whose first packet arrived, true to the error of the node&apos;s clock. Absent without a bound for the clocks&apos; error.</source>
        <translation>Vom Senden des ersten Pakets eines Frames bis zu seiner Ankunft, neueste 256 Frames, deren erstes Paket ankam, so genau wie die Uhr des Knotens. Fehlt ohne Schranke für den Uhrenfehler.</translation>
    </message>
    <message>
        <source>Time to assemble, p99</source>
        <translation>Zusammensetzen, p99</translation>
    </message>
    <message>
        <source>From the first arrival of a packet of a frame to its band complete, newest 256 frames.</source>
        <translation>Von der ersten Ankunft eines Pakets eines Frames, bis sein Band vollständig ist, neueste 256 Frames.</translation>
    </message>
    <message>
        <source>Lateness of swaps, p99</source>
        <translation>Verspätung der Swaps, p99</translation>
    </message>
    <message>
        <source>Time after a frame&apos;s swap less its presentation time, newest 256 frames.</source>
        <translation>Zeit nach dem Swap eines Frames minus seine Präsentationszeit, neueste 256 Frames.</translation>
    </message>
    <message>
        <source>Playout level</source>
        <translation>Playout-Füllstand</translation>
    </message>
    <message>
        <source>Whole frames that wait for their presentation.</source>
        <translation>Vollständige Frames, die auf ihre Präsentation warten.</translation>
    </message>
    <message>
        <source>Time waiting, p99</source>
        <translation>Wartezeit, p99</translation>
    </message>
    <message>
        <source>From a frame whole to its upload begun, newest 256 frames shown.</source>
        <translation>Vom vollständigen Frame bis zum Beginn seines Uploads, neueste 256 gezeigte Frames.</translation>
    </message>
    <message>
        <source>Time to upload, p99</source>
        <translation>Uploaddauer, p99</translation>
    </message>
    <message>
        <source>How long a frame&apos;s upload took, newest 256 frames shown. Absent headless.</source>
        <translation>Dauer des Uploads eines Frames, neueste 256 gezeigte Frames. Fehlt ohne Fenster.</translation>
    </message>
    <message>
        <source>Time to swap, p99</source>
        <translation>Zeit bis zum Swap, p99</translation>
    </message>
    <message>
        <source>From a frame uploaded to its swap, newest 256 frames shown: waiting for the presentation time, most of all.</source>
        <translation>Vom Ende des Uploads eines Frames bis zu seinem Swap, neueste 256 gezeigte Frames: vor allem Warten auf die Präsentationszeit.</translation>
    </message>
    <message>
        <source>Skew, p99</source>
        <translation>Versatz, p99</translation>
    </message>
    <message>
        <source>Latest less earliest swap of a frame over all tiles, newest 256 frames, true to the skew&apos;s clock error. Absent if that is not known.</source>
        <translation>Spätester minus frühester Swap eines Frames über alle Kacheln, neueste 256 Frames, so genau wie der Uhrenfehler des Versatzes. Fehlt, wenn dieser unbekannt ist.</translation>
    </message>
    <message>
        <source>Skew, clock error</source>
        <translation>Versatz, Uhrenfehler</translation>
    </message>
    <message>
        <source>Sum of the two largest clock errors of the nodes, for the same frames.</source>
        <translation>Summe der zwei größten Uhrenfehler der Knoten, für dieselben Frames.</translation>
    </message>
    <message>
        <source>Playout delay</source>
        <translation>Playout-Delay</translation>
    </message>
    <message>
        <source>From a frame&apos;s media time to its presentation.</source>
        <translation>Von der Medienzeit eines Frames bis zu seiner Präsentation.</translation>
    </message>
    <message>
        <source>%1 by flow</source>
        <translation>%1 nach Flow</translation>
    </message>
    <message>
        <source>%1 by tile</source>
        <translation>%1 nach Kachel</translation>
    </message>
    <message>
        <source>%1 of the wall</source>
        <translation>%1 der Wand</translation>
    </message>
</context>
<context>
    <name>Report</name>
    <message>
        <source>on flow %1</source>
        <translation>auf Flow %1</translation>
    </message>
    <message>
        <source>on %1 flows</source>
        <translation>auf %1 Flows</translation>
    </message>
    <message>
        <source>%1 packets lost %2, %3 % repaired in time</source>
        <translation>%1 Pakete %2 verloren, %3 % rechtzeitig repariert</translation>
    </message>
    <message>
        <source>At least %1 packets lost %2, about %3 % repaired in time</source>
        <translation>Mindestens %1 Pakete %2 verloren, etwa %3 % rechtzeitig repariert</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>nicht gemessen</translation>
    </message>
    <message>
        <source>Packet loss</source>
        <translation>Paketverlust</translation>
    </message>
    <message>
        <source>%1 packets</source>
        <translation>%1 Pakete</translation>
    </message>
    <message>
        <source>at least %1 packets</source>
        <translation>mindestens %1 Pakete</translation>
    </message>
    <message>
        <source>%1 % repaired in time</source>
        <translation>%1 % rechtzeitig repariert</translation>
    </message>
    <message>
        <source>about %1 % repaired in time</source>
        <translation>etwa %1 % rechtzeitig repariert</translation>
    </message>
    <message>
        <source>none lost</source>
        <translation>keine verloren</translation>
    </message>
    <message>
        <source>clock error not known</source>
        <translation>Uhrenfehler unbekannt</translation>
    </message>
    <message>
        <source>99 % of the time at or below</source>
        <translation>99 % der Zeit höchstens</translation>
    </message>
    <message>
        <source>p99 of the worst, %1</source>
        <translation>p99 des schlechtesten, %1</translation>
    </message>
    <message>
        <source>limit %1</source>
        <translation>Grenze %1</translation>
    </message>
    <message>
        <source>%1, no incident</source>
        <translation>%1, kein Vorfall</translation>
    </message>
    <message>
        <source>%1, one incident</source>
        <translation>%1, ein Vorfall</translation>
    </message>
    <message>
        <source>%1, %2 incidents</source>
        <translation>%1, %2 Vorfälle</translation>
    </message>
    <message>
        <source>Nothing was measured</source>
        <translation>Nichts wurde gemessen</translation>
    </message>
    <message>
        <source>Picture faults</source>
        <translation>Bildfehler</translation>
    </message>
    <message>
        <source>Degraded, picture intact</source>
        <translation>Beeinträchtigt, Bild intakt</translation>
    </message>
    <message>
        <source>Wall healthy</source>
        <translation>Wand in Ordnung</translation>
    </message>
    <message>
        <source>no packet lost</source>
        <translation>kein Paket verloren</translation>
    </message>
    <message>
        <source>packets lost, all repaired</source>
        <translation>Pakete verloren, alle repariert</translation>
    </message>
    <message>
        <source>packets lost, rows concealed</source>
        <translation>Pakete verloren, Zeilen verdeckt</translation>
    </message>
    <message>
        <source>nothing received</source>
        <translation>nichts empfangen</translation>
    </message>
    <message>
        <source>The wall: state of each tile</source>
        <translation>Die Wand: Zustand jeder Kachel</translation>
    </message>
    <message>
        <source>Repaired</source>
        <translation>Repariert</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>Incidents</source>
        <translation>Vorfälle</translation>
    </message>
    <message>
        <source>No incident in this time.</source>
        <translation>Kein Vorfall in dieser Zeit.</translation>
    </message>
    <message>
        <source>Further incidents</source>
        <translation>Weitere Vorfälle</translation>
    </message>
    <message>
        <source>Figures of the worst flow or tile</source>
        <translation>Werte des schlechtesten Flows oder der schlechtesten Kachel</translation>
    </message>
    <message>
        <source>Quantity</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>Einheit</translation>
    </message>
    <message>
        <source>Worst</source>
        <translation>Schlechtester</translation>
    </message>
    <message>
        <source>Least</source>
        <translation>Kleinster</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>Median</translation>
    </message>
    <message>
        <source>p99</source>
        <translation>p99</translation>
    </message>
    <message>
        <source>Greatest</source>
        <translation>Größter</translation>
    </message>
    <message>
        <source>Zero throughout: %1.</source>
        <translation>Durchweg null: %1.</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>Ereignisse</translation>
    </message>
    <message>
        <source>None.</source>
        <translation>Keine.</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>Schwere</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>Wo</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>Ereignis</translation>
    </message>
    <message>
        <source>And %1 before these.</source>
        <translation>Und %1 davor.</translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation>Hosts</translation>
    </message>
    <message>
        <source>Server %1, %2 %3. Wall of %4 × %5 tiles of %6 × %7 pixels, %8 flows.</source>
        <translation>Server %1, %2 %3. Wand aus %4 × %5 Kacheln von %6 × %7 Pixeln, %8 Flows.</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Tiles</source>
        <translation>Kacheln</translation>
    </message>
    <message>
        <source>Flows</source>
        <translation>Flows</translation>
    </message>
    <message>
        <source>Packets lost</source>
        <translation>Verlorene Pakete</translation>
    </message>
    <message>
        <source>Jitter, p99</source>
        <translation>Jitter, p99</translation>
    </message>
    <message>
        <source>Lateness, p99</source>
        <translation>Verspätung, p99</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>Verfahren</translation>
    </message>
    <message>
        <source>Server and nodes report ten times a second; all samples of this time are used.</source>
        <translation>Server und Knoten berichten zehnmal je Sekunde; alle Messwerte dieser Zeit sind verwendet.</translation>
    </message>
    <message>
        <source>Server and nodes report ten times a second; of this time, the least and the greatest sample of each second are used.</source>
        <translation>Server und Knoten berichten zehnmal je Sekunde; von dieser Zeit sind der kleinste und der größte Messwert jeder Sekunde verwendet.</translation>
    </message>
    <message>
        <source>A figure that was not measured is absent, not zero. Times without measurements are gaps in the charts.</source>
        <translation>Ein nicht gemessener Wert fehlt und ist nicht null. Zeiten ohne Messung sind Lücken in den Diagrammen.</translation>
    </message>
    <message>
        <source>Wall %1</source>
        <translation>Wand %1</translation>
    </message>
    <message>
        <source>The whole time</source>
        <translation>Die ganze Zeit</translation>
    </message>
    <message>
        <source>Page %1 of %2</source>
        <translation>Seite %1 von %2</translation>
    </message>
    <message>
        <source>median, %1</source>
        <translation>Median, %1</translation>
    </message>
    <message>
        <source>Server %1, %2 %3. Wall of %4 tiles of different sizes, %5 flows.</source>
        <translation>Server %1, %2 %3. Wand aus %4 Kacheln verschiedener Größe, %5 Flows.</translation>
    </message>
</context>
<context>
    <name>SaveView</name>
    <message>
        <source>Network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>Distribution: %1</source>
        <translation>Verteilung: %1</translation>
    </message>
    <message>
        <source>%1: a table has no picture; use a name that ends with .csv or .json</source>
        <translation>%1: eine Tabelle hat kein Bild; einen Namen mit der Endung .csv oder .json verwenden</translation>
    </message>
</context>
<context>
    <name>Session</name>
    <message>
        <source>no line of a session</source>
        <translation>keine Zeile einer Aufzeichnung</translation>
    </message>
    <message>
        <source>open a folder that Record made</source>
        <translation>einen Ordner öffnen, den „Aufnehmen“ angelegt hat</translation>
    </message>
    <message>
        <source>cannot read %1: %2</source>
        <translation>%1 lässt sich nicht lesen: %2</translation>
    </message>
    <message>
        <source>:%1: the line is too long</source>
        <translation>:%1: die Zeile ist zu lang</translation>
    </message>
    <message>
        <source>: it does not begin like a session</source>
        <translation>: kein Anfang einer Aufzeichnung</translation>
    </message>
    <message>
        <source>: it is of version %1, this program reads %2</source>
        <translation>: Version %1, dieses Programm liest %2</translation>
    </message>
    <message>
        <source>: it is empty</source>
        <translation>: leer</translation>
    </message>
</context>
<context>
    <name>Stages</name>
    <message>
        <source>Disk read</source>
        <translation>Lesen</translation>
    </message>
    <message>
        <source>Wait to send</source>
        <translation>Warten aufs Senden</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>Assemble</source>
        <translation>Zusammensetzen</translation>
    </message>
    <message>
        <source>Wait to upload</source>
        <translation>Warten auf Upload</translation>
    </message>
    <message>
        <source>Upload</source>
        <translation>Upload</translation>
    </message>
    <message>
        <source>Swap</source>
        <translation>Swap</translation>
    </message>
</context>
<context>
    <name>TileMenu</name>
    <message>
        <source>As command line</source>
        <translation>Als Befehlszeile</translation>
    </message>
    <message>
        <source>As JSON-RPC</source>
        <translation>Als JSON-RPC</translation>
    </message>
    <message>
        <source>Identify</source>
        <translation>Identifizieren</translation>
    </message>
    <message>
        <source>Test pattern</source>
        <translation>Testbild</translation>
    </message>
    <message>
        <source>Test pattern: %1</source>
        <translation>Testbild: %1</translation>
    </message>
    <message>
        <source>Mark concealed rows</source>
        <translation>Verdeckte Zeilen markieren</translation>
    </message>
    <message>
        <source>Blank</source>
        <translation>Schwarz</translation>
    </message>
    <message>
        <source>Show cause</source>
        <translation>Ursache zeigen</translation>
    </message>
    <message>
        <source>Show in Network</source>
        <translation>Im Netz zeigen</translation>
    </message>
    <message>
        <source>Show node in Hosts</source>
        <translation>Knoten unter Hosts zeigen</translation>
    </message>
    <message>
        <source>Save image…</source>
        <translation>Bild speichern…</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Figures as text</source>
        <translation>Werte als Text</translation>
    </message>
</context>
<context>
    <name>TileWords</name>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>nicht gemessen</translation>
    </message>
    <message>
        <source>frame %1</source>
        <translation>Frame %1</translation>
    </message>
    <message>
        <source>skew %1</source>
        <translation>Versatz %1</translation>
    </message>
    <message>
        <source>lateness %1</source>
        <translation>Verspätung %1</translation>
    </message>
    <message>
        <source>nothing measured yet</source>
        <translation>noch nichts gemessen</translation>
    </message>
    <message>
        <source>Tile %1,%2 on %3: %4</source>
        <translation>Kachel %1,%2 an %3: %4</translation>
    </message>
    <message>
        <source>Tile %1,%2</source>
        <translation>Kachel %1,%2</translation>
    </message>
    <message>
        <source>%1 late</source>
        <translation>%1 verspätet</translation>
    </message>
    <message>
        <source>In step</source>
        <translation>Synchron</translation>
    </message>
    <message>
        <source>Degraded, picture intact</source>
        <translation>Beeinträchtigt, Bild intakt</translation>
    </message>
    <message>
        <source>Picture faults</source>
        <translation>Bildfehler</translation>
    </message>
    <message>
        <source>No picture</source>
        <translation>Kein Bild</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>%1 is not connected; is wall-client running there?</source>
        <translation>%1 ist nicht verbunden; läuft dort wall-client?</translation>
    </message>
    <message>
        <source>%1 has not reported for %2 s</source>
        <translation>%1 hat seit %2 s nicht berichtet</translation>
    </message>
    <message>
        <source>test pattern %1 instead of the stream</source>
        <translation>Testbild %1 statt des Streams</translation>
    </message>
    <message>
        <source>%1 waits for the server&apos;s clock</source>
        <translation>%1 wartet auf die Uhr des Servers</translation>
    </message>
    <message>
        <source>nothing is playing</source>
        <translation>nichts läuft</translation>
    </message>
    <message>
        <source>holds its last frame</source>
        <translation>hält seinen letzten Frame</translation>
    </message>
    <message>
        <source>no packets arrive</source>
        <translation>keine Pakete kommen an</translation>
    </message>
    <message>
        <source>Node %1</source>
        <translation>Knoten %1</translation>
    </message>
    <message>
        <source>Flow %1</source>
        <translation>Flow %1</translation>
    </message>
</context>
<context>
    <name>Time</name>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 min</translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation>%1 h</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 h %2 min</translation>
    </message>
</context>
<context>
    <name>lw</name>
    <message>
        <source>%1 µs</source>
        <translation>%1 µs</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/s</translation>
    </message>
    <message>
        <source>Frame shown</source>
        <translation>Gezeigter Frame</translation>
    </message>
    <message>
        <source>Number of the visualization&apos;s frame that the tile shows.</source>
        <translation>Nummer des Frames der Visualisierung, den die Kachel zeigt.</translation>
    </message>
    <message>
        <source>Frame rate</source>
        <translation>Bildrate</translation>
    </message>
    <message>
        <source>%1 frame/s</source>
        <translation>%1 Frames/s</translation>
    </message>
    <message>
        <source>Swaps with a new frame, mean of the last second.</source>
        <translation>Swaps mit neuem Frame, Mittel der letzten Sekunde.</translation>
    </message>
    <message>
        <source>Skew</source>
        <translation>Versatz</translation>
    </message>
    <message>
        <source>clock error not known</source>
        <translation>Uhrenfehler unbekannt</translation>
    </message>
    <message>
        <source>Of the newest frame that all tiles showed: this tile&apos;s swap less the earliest of all.</source>
        <translation>Vom neuesten Frame, den alle Kacheln zeigten: Swap dieser Kachel minus der früheste von allen.</translation>
    </message>
    <message>
        <source>Skew, clock error</source>
        <translation>Versatz, Uhrenfehler</translation>
    </message>
    <message>
        <source>Lateness, p99</source>
        <translation>Verspätung, p99</translation>
    </message>
    <message>
        <source>On the screen, p99</source>
        <translation>Auf dem Schirm, p99</translation>
    </message>
    <message>
        <source>Time on the screen less presentation time, newest 256 frames; where the window system tells.</source>
        <translation>Zeit auf dem Schirm minus Präsentationszeit, neueste 256 Frames; wo das Fenstersystem sie meldet.</translation>
    </message>
    <message>
        <source>Lost</source>
        <translation>Verloren</translation>
    </message>
    <message>
        <source>Resent</source>
        <translation>Neu gesendet</translation>
    </message>
    <message>
        <source>Rebuilt</source>
        <translation>Rekonstruiert</translation>
    </message>
    <message>
        <source>Frames due</source>
        <translation>Fällige Frames</translation>
    </message>
    <message>
        <source>Frames whose presentation time has passed = whole + concealed + not shown.</source>
        <translation>Frames, deren Präsentationszeit vorbei ist = vollständig + verdeckt + nicht gezeigt.</translation>
    </message>
    <message>
        <source>Shown whole</source>
        <translation>Vollständig gezeigt</translation>
    </message>
    <message>
        <source>Frames shown with every byte.</source>
        <translation>Mit jedem Byte gezeigte Frames.</translation>
    </message>
    <message>
        <source>Concealed</source>
        <translation>Verdeckt</translation>
    </message>
    <message>
        <source>Frames shown with rows of the frame before where packets are missing.</source>
        <translation>Gezeigte Frames mit Zeilen des vorigen Frames, wo Pakete fehlen.</translation>
    </message>
    <message>
        <source>Not shown</source>
        <translation>Nicht gezeigt</translation>
    </message>
    <message>
        <source>Frames due of which nothing came, or a newer one was due at the same swap.</source>
        <translation>Fällige Frames, von denen nichts kam oder ein neuerer beim selben Swap fällig war.</translation>
    </message>
    <message>
        <source>Late</source>
        <translation>Verspätet</translation>
    </message>
    <message>
        <source>Frames swapped more than one frame interval after their presentation time.</source>
        <translation>Frames mit einem Swap mehr als ein Frameintervall nach ihrer Präsentationszeit.</translation>
    </message>
    <message>
        <source>Control</source>
        <translation>Steuerung</translation>
    </message>
    <message>
        <source>connected</source>
        <translation>verbunden</translation>
    </message>
    <message>
        <source>not connected</source>
        <translation>nicht verbunden</translation>
    </message>
    <message>
        <source>Whether the node&apos;s connection to the server&apos;s control plane is there.</source>
        <translation>Ob die Verbindung des Knotens zur Steuerung des Servers besteht.</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Where its flows are sent to, as the wall file has it.</source>
        <translation>Wohin seine Flows gesendet werden, laut Wanddatei.</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>Last</translation>
    </message>
    <message>
        <source>CPU time of the node&apos;s wall-client by that of the CPUs that it may run on, mean of the last second.</source>
        <translation>CPU-Zeit des wall-client des Knotens durch die der CPUs, auf denen er laufen darf, Mittel der letzten Sekunde.</translation>
    </message>
    <message>
        <source>CPUs</source>
        <translation>CPUs</translation>
    </message>
    <message>
        <source>That the node&apos;s wall-client may run on.</source>
        <translation>Auf denen der wall-client des Knotens laufen darf.</translation>
    </message>
    <message>
        <source>Clock</source>
        <translation>Uhr</translation>
    </message>
    <message>
        <source>Whose clock it shows frames by: its system&apos;s, or the server&apos;s (waiting for it, kept, holdover).</source>
        <translation>Nach welcher Uhr er Frames zeigt: der seines Systems oder der des Servers (wartet auf sie, gehalten, Holdover).</translation>
    </message>
    <message>
        <source>Clock off by</source>
        <translation>Uhr falsch um</translation>
    </message>
    <message>
        <source>It is off from the server&apos;s clock by no more.</source>
        <translation>Höchstens so weit weicht sie von der Uhr des Servers ab.</translation>
    </message>
    <message>
        <source>Card&apos;s PTP clock</source>
        <translation>PTP-Uhr der Karte</translation>
    </message>
    <message>
        <source>The network card&apos;s PTP clock less the node&apos;s system clock, where the wall file names one to read.</source>
        <translation>PTP-Uhr der Netzwerkkarte minus Systemuhr des Knotens, wo die Wanddatei eine nennt.</translation>
    </message>
    <message>
        <source>Frame lock</source>
        <translation>Frame-Lock</translation>
    </message>
    <message>
        <source>What came of the swap group that the wall file names for frame lock by hardware.</source>
        <translation>Was aus der Swap-Gruppe wurde, welche die Wanddatei für Frame-Lock durch Hardware nennt.</translation>
    </message>
    <message>
        <source>Renderer</source>
        <translation>Renderer</translation>
    </message>
    <message>
        <source>none: headless</source>
        <translation>keiner: ohne Fenster</translation>
    </message>
    <message>
        <source>Of its OpenGL; none where it runs headless.</source>
        <translation>Seines OpenGL; keiner, wo er ohne Fenster läuft.</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>Durchsatz</translation>
    </message>
    <message>
        <source>%1 Gbit/s</source>
        <translation>%1 Gbit/s</translation>
    </message>
    <message>
        <source>%1 Total since the node started.</source>
        <translation>%1 Summe, seit der Knoten gestartet ist.</translation>
    </message>
    <message>
        <source>Kernel drops</source>
        <translation>Kernel-Drops</translation>
    </message>
    <message>
        <source>Reordered</source>
        <translation>Umgeordnet</translation>
    </message>
    <message>
        <source>Late packets</source>
        <translation>Verspätete Pakete</translation>
    </message>
    <message>
        <source>Jitter</source>
        <translation>Jitter</translation>
    </message>
    <message>
        <source>Delay, p99</source>
        <translation>Laufzeit, p99</translation>
    </message>
    <message>
        <source>Round trip</source>
        <translation>Umlaufzeit</translation>
    </message>
    <message>
        <source>From RTCP, RFC 3550 section 6.4.1.</source>
        <translation>Aus RTCP, RFC 3550 Abschnitt 6.4.1.</translation>
    </message>
    <message>
        <source>Sender&apos;s CPU</source>
        <translation>CPU des Senders</translation>
    </message>
    <message>
        <source>The core that the flow&apos;s thread of the server is pinned to.</source>
        <translation>Der Kern, an den der Thread des Flows im Server gebunden ist.</translation>
    </message>
    <message>
        <source>Receiver&apos;s CPU</source>
        <translation>CPU des Empfängers</translation>
    </message>
    <message>
        <source>The core that the flow&apos;s thread of the node is pinned to.</source>
        <translation>Der Kern, an den der Thread des Flows im Knoten gebunden ist.</translation>
    </message>
    <message>
        <source>Stream</source>
        <translation>Stream</translation>
    </message>
    <message>
        <source>Identify</source>
        <translation>Identifizieren</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>Gitter</translation>
    </message>
    <message>
        <source>Moving bar</source>
        <translation>Laufbalken</translation>
    </message>
    <message>
        <source>Ramps</source>
        <translation>Verläufe</translation>
    </message>
    <message>
        <source>Black</source>
        <translation>Schwarz</translation>
    </message>
    <message>
        <source>silent: nothing plays</source>
        <translation>still: nichts läuft</translation>
    </message>
    <message>
        <source>silence</source>
        <translation>Stille</translation>
    </message>
    <message>
        <source>%1 dB</source>
        <translation>%1 dB</translation>
    </message>
    <message>
        <source>Sound</source>
        <translation>Ton</translation>
    </message>
    <message>
        <source>Its loudest sample in the last tenths of a second, below full scale; of a node with audio in the wall file.</source>
        <translation>Lautestes Sample der letzten Zehntelsekunden, unter Vollaussteuerung; bei Knoten mit audio in der Wanddatei.</translation>
    </message>
    <message>
        <source>Sound lost</source>
        <translation>Ton verloren</translation>
    </message>
    <message>
        <source>Sound that did not come in time and was replaced by silence, since the node started.</source>
        <translation>Ton, der nicht rechtzeitig kam und durch Stille ersetzt wurde, seit dem Start des Knotens.</translation>
    </message>
    <message>
        <source>Sound off by</source>
        <translation>Ton falsch um</translation>
    </message>
    <message>
        <source>How far the sound device is ahead of the frames.</source>
        <translation>Wie weit das Audiogerät den Frames voraus ist.</translation>
    </message>
</context>
<context>
    <name>lw::ActionSearch</name>
    <message>
        <source>Find an action</source>
        <translation>Aktion suchen</translation>
    </message>
    <message>
        <source>%1  (%2)</source>
        <translation>%1  (%2)</translation>
    </message>
</context>
<context>
    <name>lw::AlarmControl</name>
    <message>
        <source>%1, since %2%3</source>
        <translation>%1, seit %2%3</translation>
    </message>
    <message>
        <source>, acknowledged</source>
        <translation>, quittiert</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>%1 weitere</translation>
    </message>
    <message>
        <source>Changed the alarm rules</source>
        <translation>Alarmregeln geändert</translation>
    </message>
</context>
<context>
    <name>lw::AlarmDialog</name>
    <message>
        <source>Alarms</source>
        <translation>Alarme</translation>
    </message>
    <message>
        <source>An alarm is raised when a quantity of any flow or tile stays beyond its threshold for the hold time. It ends when it has been better by the hysteresis for as long, and 2 s at least.</source>
        <translation>Ein Alarm wird ausgelöst, wenn eine Größe eines Flows oder einer Kachel für die Haltezeit jenseits ihrer Schwelle bleibt. Er endet, wenn sie ebenso lange, mindestens 2 s, um die Hysterese besser war.</translation>
    </message>
    <message>
        <source>Quantity</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Is</source>
        <translation>Ist</translation>
    </message>
    <message>
        <source>Threshold</source>
        <translation>Schwelle</translation>
    </message>
    <message>
        <source>Hysteresis</source>
        <translation>Hysterese</translation>
    </message>
    <message>
        <source>Hold</source>
        <translation>Halten</translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>Schwere</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>Regeln</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>A new rule</source>
        <translation>Eine neue Regel</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>The rule of the current row</source>
        <translation>Die Regel der aktuellen Zeile</translation>
    </message>
    <message>
        <source>LAN</source>
        <translation>LAN</translation>
    </message>
    <message>
        <source>A network of one&apos;s own: nothing may be lost</source>
        <translation>Ein eigenes Netz: Nichts darf verloren gehen</translation>
    </message>
    <message>
        <source>WAN demonstration</source>
        <translation>WAN-Vorführung</translation>
    </message>
    <message>
        <source>A long path: what is made good in time is no alarm</source>
        <translation>Ein langer Weg: Rechtzeitig Repariertes ist kein Alarm</translation>
    </message>
    <message>
        <source>Rules from a JSON file</source>
        <translation>Regeln aus einer JSON-Datei</translation>
    </message>
    <message>
        <source>Import alarms</source>
        <translation>Alarme importieren</translation>
    </message>
    <message>
        <source>Alarms (*.json)</source>
        <translation>Alarme (*.json)</translation>
    </message>
    <message>
        <source>These rules to a JSON file</source>
        <translation>Diese Regeln in eine JSON-Datei</translation>
    </message>
    <message>
        <source>Export alarms</source>
        <translation>Alarme exportieren</translation>
    </message>
    <message>
        <source>above</source>
        <translation>über</translation>
    </message>
    <message>
        <source>below</source>
        <translation>unter</translation>
    </message>
    <message>
        <source>Above or below</source>
        <translation>Über oder unter</translation>
    </message>
    <message>
        <source>Hold time</source>
        <translation>Haltezeit</translation>
    </message>
    <message>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>cannot read %1: %2</source>
        <translation>%1 lässt sich nicht lesen: %2</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>Importieren…</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren…</translation>
    </message>
</context>
<context>
    <name>lw::AnswerBlock</name>
    <message>
        <source>Show cause</source>
        <translation>Ursache zeigen</translation>
    </message>
    <message>
        <source>Acknowledge</source>
        <translation>Quittieren</translation>
    </message>
    <message>
        <source>Try now</source>
        <translation>Jetzt versuchen</translation>
    </message>
    <message>
        <source>Select the worst tile and explain its fault</source>
        <translation>Die schlechteste Kachel auswählen und ihren Fehler erklären</translation>
    </message>
    <message>
        <source>I have seen these alarms (A)</source>
        <translation>Diese Alarme sind gesehen (A)</translation>
    </message>
    <message>
        <source>Connect again without waiting</source>
        <translation>Ohne Warten erneut verbinden</translation>
    </message>
</context>
<context>
    <name>lw::AudienceView</name>
    <message>
        <source>Audience view</source>
        <translation>Publikumsansicht</translation>
    </message>
    <message>
        <source>Repairing one display</source>
        <translation>Ein Display wird repariert</translation>
    </message>
    <message>
        <source>Repairing %1 displays</source>
        <translation>%1 Displays werden repariert</translation>
    </message>
    <message>
        <source>Page Down next   ·   Page Up previous   ·   B black   ·   Esc close</source>
        <translation>Bild ab nächste   ·   Bild auf vorige   ·   B schwarz   ·   Esc schließen</translation>
    </message>
</context>
<context>
    <name>lw::BurstPanel</name>
    <message>
        <source>Kind of burst</source>
        <translation>Art der Bursts</translation>
    </message>
    <message>
        <source>Lost packets</source>
        <translation>Verlorene Pakete</translation>
    </message>
    <message>
        <source>Bursts of lost packets, found in the counts of each tenth of a second</source>
        <translation>Bursts verlorener Pakete, aus den Zählern jeder Zehntelsekunde</translation>
    </message>
    <message>
        <source>Packets per call</source>
        <translation>Pakete je Aufruf</translation>
    </message>
    <message>
        <source>How many packets arrived together, so that one system call received them</source>
        <translation>Wie viele Pakete zusammen ankamen, sodass ein Systemaufruf sie empfing</translation>
    </message>
    <message>
        <source>Bursts by flow, worst first</source>
        <translation>Bursts nach Flow, die schlimmsten zuerst</translation>
    </message>
    <message>
        <source>Packets lost in a burst</source>
        <translation>Verlorene Pakete in einem Burst</translation>
    </message>
    <message>
        <source>Bursts</source>
        <translation>Bursts</translation>
    </message>
    <message>
        <source>%1 of %2 lost packets</source>
        <translation>%1 von %2 haben Pakete verloren</translation>
    </message>
    <message>
        <source>Packets per call, mean of a tenth of a second</source>
        <translation>Pakete je Aufruf, Mittel einer Zehntelsekunde</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Messwerte</translation>
    </message>
    <message>
        <source>%1 of %2 measured; ten minutes are kept</source>
        <translation>%1 von %2 gemessen; zehn Minuten werden aufbewahrt</translation>
    </message>
    <message>
        <source>Nothing measured yet</source>
        <translation>Noch nichts gemessen</translation>
    </message>
    <message>
        <source>Bursts are shown once a visualization plays.</source>
        <translation>Bursts erscheinen, sobald eine Visualisierung läuft.</translation>
    </message>
    <message>
        <source>Open library</source>
        <translation>Bibliothek öffnen</translation>
    </message>
    <message>
        <source>No packets were lost</source>
        <translation>Keine Pakete verloren</translation>
    </message>
    <message>
        <source>A longer time may have bursts.</source>
        <translation>Eine längere Zeit kann Bursts enthalten.</translation>
    </message>
    <message>
        <source>Not in the whole time that is kept.</source>
        <translation>Nicht in der ganzen aufbewahrten Zeit.</translation>
    </message>
    <message>
        <source>Show the last hour</source>
        <translation>Letzte Stunde zeigen</translation>
    </message>
    <message>
        <source>Not counted by the nodes</source>
        <translation>Von den Knoten nicht gezählt</translation>
    </message>
    <message>
        <source>A newer wall-client on the nodes counts it.</source>
        <translation>Ein neueres wall-client auf den Knoten zählt es.</translation>
    </message>
    <message>
        <source>Nothing measured in this time</source>
        <translation>In dieser Zeit nichts gemessen</translation>
    </message>
    <message>
        <source>The newest ten minutes are kept.</source>
        <translation>Die neuesten zehn Minuten werden aufbewahrt.</translation>
    </message>
    <message>
        <source>In the %1 before, %2 lost packets.</source>
        <translation>In den %1 davor haben %2 Pakete verloren.</translation>
    </message>
    <message>
        <source>In the %1 before: %2.</source>
        <translation>In den %1 davor: %2.</translation>
    </message>
    <message>
        <source>%1 before</source>
        <translation>%1 davor</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1. %2</translation>
    </message>
</context>
<context>
    <name>lw::BurstTableModel</name>
    <message>
        <source>Packets that one system call received, mean of each tenth of a second</source>
        <translation>Pakete, die ein Systemaufruf empfing, Mittel jeder Zehntelsekunde</translation>
    </message>
    <message>
        <source>Times without a pause of a tenth of a second in which packets were lost</source>
        <translation>Zeiten ohne eine Pause von einer Zehntelsekunde, in denen Pakete verloren gingen</translation>
    </message>
    <message>
        <source>Packets lost in these bursts</source>
        <translation>In diesen Bursts verlorene Pakete</translation>
    </message>
    <message>
        <source>Packets lost in the largest burst</source>
        <translation>Im größten Burst verlorene Pakete</translation>
    </message>
    <message>
        <source>How long the longest burst lasted, to a tenth of a second</source>
        <translation>Dauer des längsten Bursts, auf eine Zehntelsekunde</translation>
    </message>
    <message>
        <source>Mean length of the uninterrupted runs of lost packets in these bursts (RFC 3611)</source>
        <translation>Mittlere Länge der ununterbrochenen Folgen verlorener Pakete in diesen Bursts (RFC 3611)</translation>
    </message>
    <message>
        <source>Longest uninterrupted run of lost packets since the node&apos;s program started</source>
        <translation>Längste ununterbrochene Folge verlorener Pakete seit dem Start des Programms auf dem Knoten</translation>
    </message>
    <message>
        <source>Flow</source>
        <translation>Flow</translation>
    </message>
    <message>
        <source>Tile</source>
        <translation>Kachel</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Bursts</source>
        <translation>Bursts</translation>
    </message>
    <message>
        <source>Lost</source>
        <translation>Verloren</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>Größter</translation>
    </message>
    <message>
        <source>Longest</source>
        <translation>Längster</translation>
    </message>
    <message>
        <source>Mean run</source>
        <translation>Folge, Ø</translation>
    </message>
    <message>
        <source>Longest run</source>
        <translation>Längste Folge</translation>
    </message>
    <message>
        <source>Least</source>
        <translation>Kleinster</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>Median</translation>
    </message>
    <message>
        <source>p90</source>
        <translation>p90</translation>
    </message>
    <message>
        <source>p99</source>
        <translation>p99</translation>
    </message>
    <message>
        <source>Greatest</source>
        <translation>Größter</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Messwerte</translation>
    </message>
</context>
<context>
    <name>lw::CanvasBar</name>
    <message>
        <source>Test pattern</source>
        <translation>Testbild</translation>
    </message>
    <message>
        <source>Test pattern on all tiles</source>
        <translation>Testbild auf allen Kacheln</translation>
    </message>
    <message>
        <source>Show a test pattern on all tiles instead of the stream</source>
        <translation>Auf allen Kacheln ein Testbild statt des Streams zeigen</translation>
    </message>
    <message>
        <source>What is drawn over the wall here; the wall itself does not show it</source>
        <translation>Was hier über die Wand gezeichnet wird; die Wand selbst zeigt es nicht</translation>
    </message>
    <message>
        <source>State of the tiles</source>
        <translation>Zustand der Kacheln</translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>Nichts</translation>
    </message>
    <message>
        <source>Overlay: state</source>
        <translation>Overlay: Zustand</translation>
    </message>
    <message>
        <source>Overlay: none</source>
        <translation>Overlay: keines</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>Einpassen</translation>
    </message>
    <message>
        <source>How the tiles are arranged here; the wall does not change</source>
        <translation>Wie die Kacheln hier angeordnet sind; die Wand ändert sich nicht</translation>
    </message>
    <message>
        <source>By node</source>
        <translation>Nach Knoten</translation>
    </message>
    <message>
        <source>As on the wall</source>
        <translation>Wie auf der Wand</translation>
    </message>
    <message>
        <source>Group: node</source>
        <translation>Gruppe: Knoten</translation>
    </message>
    <message>
        <source>Group: none</source>
        <translation>Gruppe: keine</translation>
    </message>
</context>
<context>
    <name>lw::CauseCard</name>
    <message>
        <source>Open in Hosts</source>
        <translation>In Hosts öffnen</translation>
    </message>
    <message>
        <source>Likely cause</source>
        <translation>Wahrscheinliche Ursache</translation>
    </message>
    <message>
        <source>Let another CPU of the host take these flows</source>
        <translation>Eine andere CPU des Hosts diese Flows übernehmen lassen</translation>
    </message>
    <message>
        <source>Show the host&apos;s CPUs, network cards and flows</source>
        <translation>CPUs, Netzwerkkarten und Flows des Hosts zeigen</translation>
    </message>
    <message>
        <source>Move flow %1…</source>
        <translation>Flow %1 verschieben…</translation>
    </message>
    <message>
        <source>Move flows %1…</source>
        <translation>Flows %1 verschieben…</translation>
    </message>
</context>
<context>
    <name>lw::ChartsPanel</name>
    <message>
        <source>Wheel or + and -: zoom. Drag, or Shift and an arrow: mark a time. Ctrl and an arrow: move. Enter: zoom to the marked time. Escape: back</source>
        <translation>Rad oder + und -: Zoom. Ziehen oder Umschalt und ein Pfeil: Zeit markieren. Strg und ein Pfeil: verschieben. Enter: auf die markierte Zeit zoomen. Esc: zurück</translation>
    </message>
    <message>
        <source>Charts</source>
        <translation>Diagramme</translation>
    </message>
    <message>
        <source>Heat map</source>
        <translation>Heatmap</translation>
    </message>
    <message>
        <source>Flows</source>
        <translation>Flows</translation>
    </message>
    <message>
        <source>Distribution</source>
        <translation>Verteilung</translation>
    </message>
    <message>
        <source>Pause charts</source>
        <translation>Diagramme anhalten</translation>
    </message>
    <message>
        <source>Pause the charts; nothing is lost (P)</source>
        <translation>Diagramme anhalten; nichts geht verloren (P)</translation>
    </message>
    <message>
        <source>Enlarge</source>
        <translation>Vergrößern</translation>
    </message>
    <message>
        <source>Show this in the Network workspace (Ctrl+2)</source>
        <translation>Dies im Arbeitsbereich Netz zeigen (Strg+2)</translation>
    </message>
</context>
<context>
    <name>lw::Commands</name>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Copy as command line</source>
        <translation>Als Befehlszeile kopieren</translation>
    </message>
    <message>
        <source>Copy as JSON-RPC</source>
        <translation>Als JSON-RPC kopieren</translation>
    </message>
</context>
<context>
    <name>lw::ComputerStrip</name>
    <message>
        <source>Copy fix</source>
        <translation>Abhilfe kopieren</translation>
    </message>
    <message>
        <source>Copy the command that fixes it: %1</source>
        <translation>Den Befehl kopieren, der es behebt: %1</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>Dieser Rechner</translation>
    </message>
    <message>
        <source>Install lambdawall-probe to see whether this computer is ready for a wall.</source>
        <translation>lambdawall-probe installieren, um zu sehen, ob dieser Rechner für eine Wand bereit ist.</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>Wird geprüft…</translation>
    </message>
    <message>
        <source>ready for the demo</source>
        <translation>bereit für die Demo</translation>
    </message>
    <message>
        <source>small for the demo</source>
        <translation>klein für die Demo</translation>
    </message>
    <message>
        <source>Checked just now</source>
        <translation>Gerade geprüft</translation>
    </message>
</context>
<context>
    <name>lw::Connection</name>
    <message>
        <source>Remove the connection %1?</source>
        <translation>Die Verbindung %1 entfernen?</translation>
    </message>
    <message>
        <source>Its address and its token are deleted from this program&apos;s settings. The wall is not affected.</source>
        <translation>Ihre Adresse und ihr Token werden aus den Einstellungen dieses Programms gelöscht. Die Wand bleibt davon unberührt.</translation>
    </message>
    <message>
        <source>Remove connection</source>
        <translation>Verbindung entfernen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Unlock the controls of the wall?</source>
        <translation>Die Steuerung der Wand entsperren?</translation>
    </message>
    <message>
        <source>Keys and buttons change what the audience sees again.</source>
        <translation>Tasten und Knöpfe ändern dann wieder, was das Publikum sieht.</translation>
    </message>
    <message>
        <source>Unlock</source>
        <translation>Entsperren</translation>
    </message>
    <message>
        <source>Locked</source>
        <translation>Gesperrt</translation>
    </message>
    <message>
        <source>View only</source>
        <translation>Nur ansehen</translation>
    </message>
    <message>
        <source>Connected</source>
        <translation>Verbunden</translation>
    </message>
    <message>
        <source>Recorded session %1</source>
        <translation>Aufzeichnung %1</translation>
    </message>
    <message>
        <source>Administrator</source>
        <translation>Administrator</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Bediener</translation>
    </message>
    <message>
        <source>Viewer</source>
        <translation>Betrachter</translation>
    </message>
    <message>
        <source>The server knows this program as %1.
Viewer: sees everything. Operator: also plays. Administrator: also changes and deletes visualizations, and moves flows.</source>
        <translation>Der Server kennt dieses Programm als %1.
Betrachter: sieht alles. Bediener: spielt auch ab. Administrator: ändert und löscht auch Visualisierungen und verschiebt Flows.</translation>
    </message>
</context>
<context>
    <name>lw::ConnectionLabel</name>
    <message>
        <source>State of the connection</source>
        <translation>Zustand der Verbindung</translation>
    </message>
    <message>
        <source>Address of the server</source>
        <translation>Adresse des Servers</translation>
    </message>
    <message>
        <source>The connection is encrypted, and the server&apos;s certificate is known</source>
        <translation>Die Verbindung ist verschlüsselt, und das Zertifikat des Servers ist bekannt</translation>
    </message>
</context>
<context>
    <name>lw::ControlLink</name>
    <message>
        <source>the controls are locked; unlock them first</source>
        <translation>die Steuerung ist gesperrt; zuerst entsperren</translation>
    </message>
    <message>
        <source>this wall is open for viewing only</source>
        <translation>diese Wand ist nur zum Ansehen geöffnet</translation>
    </message>
    <message>
        <source>it does not answer; is it a wall-server?</source>
        <translation>keine Antwort; ist es ein wall-server?</translation>
    </message>
    <message>
        <source>disconnected</source>
        <translation>getrennt</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>Nicht verbunden</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not an address; write HOST:PORT</source>
        <translation>„%1“ ist keine Adresse; HOST:PORT schreiben</translation>
    </message>
    <message>
        <source>Connecting to %1…</source>
        <translation>Verbinden mit %1…</translation>
    </message>
    <message>
        <source>New server: check its fingerprint</source>
        <translation>Neuer Server: Fingerabdruck prüfen</translation>
    </message>
    <message>
        <source>The certificate of %1 has changed</source>
        <translation>Das Zertifikat von %1 hat sich geändert</translation>
    </message>
    <message>
        <source>The certificate of %1 is not accepted</source>
        <translation>Das Zertifikat von %1 wird nicht angenommen</translation>
    </message>
    <message>
        <source>%1 asks for a token</source>
        <translation>%1 verlangt ein Token</translation>
    </message>
    <message>
        <source>%1 does not know this token</source>
        <translation>%1 kennt dieses Token nicht</translation>
    </message>
    <message>
        <source>Too many wrong tokens. Trying again in %1 s.</source>
        <translation>Zu viele falsche Token. Neuer Versuch in %1 s.</translation>
    </message>
    <message>
        <source>Refused: %1: %2</source>
        <translation>Abgelehnt: %1: %2</translation>
    </message>
    <message>
        <source>Refused: %1 speaks protocol %2, this program %3. Install the same version on both.</source>
        <translation>Abgelehnt: %1 spricht Protokoll %2, dieses Programm %3. Auf beiden dieselbe Version installieren.</translation>
    </message>
    <message>
        <source>Refused: %1 describes its wall in a way that this program cannot read (%2). Install the same version on both.</source>
        <translation>Abgelehnt: %1 beschreibt seine Wand so, dass dieses Programm es nicht lesen kann (%2). Auf beiden dieselbe Version installieren.</translation>
    </message>
    <message>
        <source>Connected to %1 (%2, version %3)</source>
        <translation>Verbunden mit %1 (%2, Version %3)</translation>
    </message>
    <message>
        <source>the connection to %1 closed</source>
        <translation>die Verbindung mit %1 ist geschlossen</translation>
    </message>
    <message>
        <source>No answer from %1. Trying again in %2 s.</source>
        <translation>Keine Antwort von %1. Neuer Versuch in %2 s.</translation>
    </message>
    <message>
        <source>not connected to a server</source>
        <translation>nicht mit einem Server verbunden</translation>
    </message>
    <message>
        <source>this needs the role %1; %2 has the role %3</source>
        <translation>dies braucht die Rolle %1; %2 hat die Rolle %3</translation>
    </message>
    <message>
        <source>Refused: %1 does not speak JSON-RPC 2.0; is it a wall-server?</source>
        <translation>Abgelehnt: %1 spricht kein JSON-RPC 2.0; ist es ein wall-server?</translation>
    </message>
    <message>
        <source>unknown error</source>
        <translation>unbekannter Fehler</translation>
    </message>
</context>
<context>
    <name>lw::CurveTableModel</name>
    <message>
        <source>Median</source>
        <translation>Median</translation>
    </message>
    <message>
        <source>p90</source>
        <translation>p90</translation>
    </message>
    <message>
        <source>p99</source>
        <translation>p99</translation>
    </message>
    <message>
        <source>Greatest</source>
        <translation>Größter</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Messwerte</translation>
    </message>
</context>
<context>
    <name>lw::DeleteDialog</name>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Delete “%1”?</source>
        <translation>„%1“ löschen?</translation>
    </message>
    <message>
        <source>the server&apos;s disks</source>
        <translation>den Datenträgern des Servers</translation>
    </message>
    <message>
        <source>the disks of all servers of the wall</source>
        <translation>den Datenträgern aller Server der Wand</translation>
    </message>
    <message>
        <source>Its %1 (%2) are removed from %3. This cannot be undone.</source>
        <translation>%1 (%2) davon werden von %3 entfernt. Das lässt sich nicht rückgängig machen.</translation>
    </message>
    <message>
        <source>It is removed from %1. This cannot be undone.</source>
        <translation>Sie wird von %1 entfernt. Das lässt sich nicht rückgängig machen.</translation>
    </message>
    <message>
        <source>Type the title or the name “%1” to confirm</source>
        <translation>Zur Bestätigung den Titel oder den Namen „%1“ eintippen</translation>
    </message>
    <message>
        <source>Title or name of what is to be deleted</source>
        <translation>Titel oder Name des zu Löschenden</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>lw::DemoCard</name>
    <message>
        <source>Try the demo wall</source>
        <translation>Demo-Wand ausprobieren</translation>
    </message>
    <message>
        <source>Progress of the demo wall</source>
        <translation>Fortschritt der Demo-Wand</translation>
    </message>
    <message>
        <source>Four windows on this computer with two sample films. Needs no GPU and no special rights.</source>
        <translation>Vier Fenster auf diesem Rechner mit zwei Beispielfilmen. Braucht weder GPU noch besondere Rechte.</translation>
    </message>
    <message>
        <source>Start demo wall</source>
        <translation>Demo-Wand starten</translation>
    </message>
    <message>
        <source>End demo wall</source>
        <translation>Demo-Wand beenden</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>about 1 min, 300 MB</source>
        <translation>etwa 1 min, 300 MB</translation>
    </message>
</context>
<context>
    <name>lw::DemoWall</name>
    <message>
        <source>Cosmic web, whole domain</source>
        <translation>Kosmisches Netz, ganzes Gebiet</translation>
    </message>
    <message>
        <source>Dark matter from small ripples to the cosmic web.</source>
        <translation>Dunkle Materie von kleinen Wellen bis zum kosmischen Netz.</translation>
    </message>
    <message>
        <source>Flight through the cosmic web</source>
        <translation>Flug durch das kosmische Netz</translation>
    </message>
    <message>
        <source>Dark matter today, seen from the inside. Colour shows speed.</source>
        <translation>Dunkle Materie heute, von innen gesehen. Farbe zeigt Geschwindigkeit.</translation>
    </message>
    <message>
        <source>Install %1 to try a wall on this computer.</source>
        <translation>%1 installieren, um eine Wand auf diesem Rechner auszuprobieren.</translation>
    </message>
    <message>
        <source>Computing a small universe</source>
        <translation>Ein kleines Universum wird berechnet</translation>
    </message>
    <message>
        <source>Importing %1</source>
        <translation>%1 wird importiert</translation>
    </message>
    <message>
        <source>%1 cannot be created</source>
        <translation>%1 lässt sich nicht anlegen</translation>
    </message>
    <message>
        <source>%1 ended with code %2</source>
        <translation>%1 endete mit Code %2</translation>
    </message>
    <message>
        <source>Starting the server and four windows</source>
        <translation>Server und vier Fenster werden gestartet</translation>
    </message>
    <message>
        <source>The server does not answer</source>
        <translation>Der Server antwortet nicht</translation>
    </message>
    <message>
        <source>The demo wall is running</source>
        <translation>Die Demo-Wand läuft</translation>
    </message>
</context>
<context>
    <name>lw::DescribeDialog</name>
    <message>
        <source>Separated by commas</source>
        <translation>Durch Kommas getrennt</translation>
    </message>
    <message>
        <source>&amp;Title</source>
        <translation>&amp;Titel</translation>
    </message>
    <message>
        <source>Ta&amp;gs</source>
        <translation>Ta&amp;gs</translation>
    </message>
    <message>
        <source>&amp;Description</source>
        <translation>&amp;Beschreibung</translation>
    </message>
    <message>
        <source>Edit the details of “%1”</source>
        <translation>Angaben zu „%1“ bearbeiten</translation>
    </message>
    <message>
        <source>All operators see them. The name “%1” stays.</source>
        <translation>Alle Bediener sehen sie. Der Name „%1“ bleibt.</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>lw::Distribution</name>
    <message>
        <source>Distribution</source>
        <translation>Verteilung</translation>
    </message>
    <message>
        <source>%1: p99 %2</source>
        <translation>%1: p99 %2</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>nicht gemessen</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Share of samples at or below</source>
        <translation>Anteil der Messwerte, die höchstens so groß sind</translation>
    </message>
    <message>
        <source>limit %1</source>
        <translation>Grenze %1</translation>
    </message>
    <message>
        <source>p99 %1</source>
        <translation>p99 %1</translation>
    </message>
    <message>
        <source>Nothing measured in this time</source>
        <translation>In dieser Zeit nichts gemessen</translation>
    </message>
    <message>
        <source>At or below %1 %2</source>
        <translation>Höchstens %1 %2</translation>
    </message>
    <message>
        <source>%1 % of %2 samples</source>
        <translation>%1 % von %2 Messwerten</translation>
    </message>
</context>
<context>
    <name>lw::DistributionPanel</name>
    <message>
        <source>marked %1</source>
        <translation>%1 markiert</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>All others, %1</source>
        <translation>Alle anderen, %1</translation>
    </message>
    <message>
        <source>%1, %2 before</source>
        <translation>%1, %2 davor</translation>
    </message>
    <message>
        <source>Figures of the distribution</source>
        <translation>Werte der Verteilung</translation>
    </message>
</context>
<context>
    <name>lw::Dock</name>
    <message>
        <source>%1: move or hide</source>
        <translation>%1: verschieben oder ausblenden</translation>
    </message>
    <message>
        <source>Move to the left</source>
        <translation>Nach links</translation>
    </message>
    <message>
        <source>Move to the right</source>
        <translation>Nach rechts</translation>
    </message>
    <message>
        <source>Move to the bottom</source>
        <translation>Nach unten</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>Ausblenden</translation>
    </message>
</context>
<context>
    <name>lw::Door</name>
    <message>
        <source>there is no certificate in %1; name a PEM file</source>
        <translation>kein Zertifikat in %1; eine PEM-Datei angeben</translation>
    </message>
    <message>
        <source>the certificate (%1) is not good by %2: %3</source>
        <translation>das Zertifikat (%1) ist laut %2 nicht gültig: %3</translation>
    </message>
    <message>
        <source>the certificate of %1 is not known yet (%2)</source>
        <translation>das Zertifikat von %1 ist noch nicht bekannt (%2)</translation>
    </message>
    <message>
        <source>the certificate of %1 is another one (%2) than before (%3); if that is meant, remove its line from %4</source>
        <translation>das Zertifikat von %1 ist ein anderes (%2) als bisher (%3); ist das gewollt, die Zeile aus %4 entfernen</translation>
    </message>
    <message>
        <source>it does not speak HTTP; is it a wall-server?</source>
        <translation>kein HTTP; ist es ein wall-server?</translation>
    </message>
    <message>
        <source>it asks for a token</source>
        <translation>ein Token wird verlangt</translation>
    </message>
    <message>
        <source>this token is not known there</source>
        <translation>dieses Token ist dort nicht bekannt</translation>
    </message>
    <message>
        <source>too many failures from this address</source>
        <translation>zu viele Fehlversuche von dieser Adresse</translation>
    </message>
    <message>
        <source>it is not called %1; use its address, or start it with --control-name %1</source>
        <translation>er heißt nicht %1; seine Adresse verwenden oder ihn mit --control-name %1 starten</translation>
    </message>
    <message>
        <source>this token has as many connections as it may have; close one</source>
        <translation>dieses Token hat so viele Verbindungen, wie es haben darf; eine schließen</translation>
    </message>
    <message>
        <source>it answers HTTP %1; is it a wall-server?</source>
        <translation>die Antwort ist HTTP %1; ist es ein wall-server?</translation>
    </message>
</context>
<context>
    <name>lw::EntryEditor</name>
    <message>
        <source>How long the entry plays</source>
        <translation>Wie lange der Eintrag läuft</translation>
    </message>
    <message>
        <source>Plays once</source>
        <translation>Läuft einmal</translation>
    </message>
    <message>
        <source>Passes</source>
        <translation>Durchläufe</translation>
    </message>
    <message>
        <source>Seconds</source>
        <translation>Sekunden</translation>
    </message>
    <message>
        <source>Until Next</source>
        <translation>Bis „Nächster“</translation>
    </message>
    <message>
        <source>Plays again and again until the next entry is asked for (N), while Loop is on</source>
        <translation>Läuft immer wieder, bis der nächste Eintrag verlangt wird (N), solange die Schleife an ist</translation>
    </message>
    <message>
        <source>Passes or seconds</source>
        <translation>Durchläufe oder Sekunden</translation>
    </message>
    <message>
        <source>Transition to the entry</source>
        <translation>Übergang zum Eintrag</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Close the entry&apos;s editor</source>
        <translation>Den Editor des Eintrags schließen</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>Schließen (Esc)</translation>
    </message>
    <message>
        <source>Plays</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>Transition</source>
        <translation>Übergang</translation>
    </message>
    <message>
        <source> s</source>
        <translation> s</translation>
    </message>
</context>
<context>
    <name>lw::EventDelegate</name>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
</context>
<context>
    <name>lw::EventLog</name>
    <message>
        <source>Faults only</source>
        <translation>Nur Fehler</translation>
    </message>
    <message>
        <source>Faults and warnings only</source>
        <translation>Nur Fehler und Warnungen</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Show only some events</source>
        <translation>Nur einige Ereignisse zeigen</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Search events</source>
        <translation>Ereignisse durchsuchen</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren…</translation>
    </message>
    <message>
        <source>Save the events that are shown as .csv or .json</source>
        <translation>Die gezeigten Ereignisse als .csv oder .json speichern</translation>
    </message>
    <message>
        <source>All events</source>
        <translation>Alle Ereignisse</translation>
    </message>
    <message>
        <source>Faults and warnings</source>
        <translation>Fehler und Warnungen</translation>
    </message>
    <message>
        <source>Faults</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>Ereignisse</translation>
    </message>
    <message>
        <source>Enter shows the moment of an event in the charts.</source>
        <translation>Enter zeigt den Moment eines Ereignisses in den Diagrammen.</translation>
    </message>
    <message>
        <source>Show in charts</source>
        <translation>In Diagrammen zeigen</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Next fault or warning</source>
        <translation>Nächster Fehler oder nächste Warnung</translation>
    </message>
    <message>
        <source>Previous fault or warning</source>
        <translation>Voriger Fehler oder vorige Warnung</translation>
    </message>
    <message>
        <source>Every node</source>
        <translation>Jeder Knoten</translation>
    </message>
    <message>
        <source>%1 of %2 in the marked time</source>
        <translation>%1 von %2 in der markierten Zeit</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>1 fault; show faults only</source>
        <translation>1 Fehler; nur Fehler zeigen</translation>
    </message>
    <message>
        <source>%1 faults; show faults only</source>
        <translation>%1 Fehler; nur Fehler zeigen</translation>
    </message>
    <message>
        <source>1 warning; show faults and warnings only</source>
        <translation>1 Warnung; nur Fehler und Warnungen zeigen</translation>
    </message>
    <message>
        <source>%1 warnings; show faults and warnings only</source>
        <translation>%1 Warnungen; nur Fehler und Warnungen zeigen</translation>
    </message>
    <message>
        <source>No events</source>
        <translation>Keine Ereignisse</translation>
    </message>
    <message>
        <source>Alarms, changes and faults are listed here.</source>
        <translation>Alarme, Änderungen und Fehler stehen hier.</translation>
    </message>
    <message>
        <source>Set alarm rules…</source>
        <translation>Alarmregeln festlegen…</translation>
    </message>
    <message>
        <source>No event matches</source>
        <translation>Kein Ereignis passt</translation>
    </message>
    <message>
        <source>%1 events are hidden by the filter.</source>
        <translation>%1 Ereignisse verbirgt der Filter.</translation>
    </message>
    <message>
        <source>Show all events</source>
        <translation>Alle Ereignisse zeigen</translation>
    </message>
    <message>
        <source>Save the events that are shown</source>
        <translation>Die gezeigten Ereignisse speichern</translation>
    </message>
    <message>
        <source>Events (*.csv *.json)</source>
        <translation>Ereignisse (*.csv *.json)</translation>
    </message>
</context>
<context>
    <name>lw::EventModel</name>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>Schwere</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>Wo</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
</context>
<context>
    <name>lw::FigureCell</name>
    <message>
        <source>not measured</source>
        <translation>nicht gemessen</translation>
    </message>
    <message>
        <source>limit %1</source>
        <translation>Grenze %1</translation>
    </message>
    <message>
        <source>in limits</source>
        <translation>innerhalb der Grenze</translation>
    </message>
    <message>
        <source>visible on the wall</source>
        <translation>auf der Wand sichtbar</translation>
    </message>
    <message>
        <source>beyond the limit</source>
        <translation>jenseits der Grenze</translation>
    </message>
</context>
<context>
    <name>lw::FigureGrid</name>
    <message>
        <source>not measured</source>
        <translation>nicht gemessen</translation>
    </message>
</context>
<context>
    <name>lw::FigureTable</name>
    <message>
        <source>Copy rows</source>
        <translation>Zeilen kopieren</translation>
    </message>
</context>
<context>
    <name>lw::FlowRows</name>
    <message>
        <source>Flows</source>
        <translation>Flows</translation>
    </message>
    <message>
        <source>flow %1: %2 Gbit/s, loss %3 per second, jitter %4 µs</source>
        <translation>Flow %1: %2 Gbit/s, Verlust %3 je Sekunde, Jitter %4 µs</translation>
    </message>
    <message>
        <source>Flow</source>
        <translation>Flow</translation>
    </message>
    <message>
        <source>Gbit/s</source>
        <translation>Gbit/s</translation>
    </message>
    <message>
        <source>Lost/s</source>
        <translation>Verl./s</translation>
    </message>
    <message>
        <source>Resent/s</source>
        <translation>Neu ges./s</translation>
    </message>
    <message>
        <source>Jitter, µs</source>
        <translation>Jitter, µs</translation>
    </message>
    <message>
        <source>2 min</source>
        <translation>2 min</translation>
    </message>
    <message>
        <source>1 more flow</source>
        <translation>1 weiterer Flow</translation>
    </message>
    <message>
        <source>%1 more flows</source>
        <translation>%1 weitere Flows</translation>
    </message>
</context>
<context>
    <name>lw::FlowTableModel</name>
    <message>
        <source>Flow</source>
        <translation>Flow</translation>
    </message>
    <message>
        <source>Number of the flow over the whole wall</source>
        <translation>Nummer des Flows über die ganze Wand</translation>
    </message>
    <message>
        <source>Tile</source>
        <translation>Kachel</translation>
    </message>
    <message>
        <source>Column and row from the top left</source>
        <translation>Spalte und Zeile von oben links</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>The render node that shows the tile</source>
        <translation>Der Render-Knoten, der die Kachel zeigt</translation>
    </message>
    <message>
        <source>Gbit/s</source>
        <translation>Gbit/s</translation>
    </message>
    <message>
        <source>UDP payload received over the last interval</source>
        <translation>Empfangene UDP-Nutzdaten im letzten Intervall</translation>
    </message>
    <message>
        <source>Lost</source>
        <translation>Verloren</translation>
    </message>
    <message>
        <source>Packets expected by sequence number that did not come (RFC 3550 A.3)</source>
        <translation>Nach Sequenznummer erwartete Pakete, die nicht kamen (RFC 3550 A.3)</translation>
    </message>
    <message>
        <source>Kernel drops</source>
        <translation>Kernel-Drops</translation>
    </message>
    <message>
        <source>Of those, dropped by the node&apos;s kernel because the socket was full (SO_RXQ_OVFL)</source>
        <translation>Davon vom Kernel des Knotens verworfen, weil der Socket voll war (SO_RXQ_OVFL)</translation>
    </message>
    <message>
        <source>Reordered</source>
        <translation>Umgeordnet</translation>
    </message>
    <message>
        <source>Packets that came with a number below the highest so far (RFC 4737)</source>
        <translation>Pakete mit einer Nummer unter der bisher höchsten (RFC 4737)</translation>
    </message>
    <message>
        <source>Duplicates</source>
        <translation>Duplikate</translation>
    </message>
    <message>
        <source>Packets that came before (RFC 5560)</source>
        <translation>Pakete, die schon einmal kamen (RFC 5560)</translation>
    </message>
    <message>
        <source>Late</source>
        <translation>Verspätet</translation>
    </message>
    <message>
        <source>Packets whose band was already given up or shown</source>
        <translation>Pakete, deren Band schon aufgegeben oder gezeigt war</translation>
    </message>
    <message>
        <source>Jitter, µs</source>
        <translation>Jitter, µs</translation>
    </message>
    <message>
        <source>Interarrival jitter of the first packets of frames (RFC 3550 section 6.4.1)</source>
        <translation>Interarrival-Jitter der ersten Pakete von Frames (RFC 3550 Abschnitt 6.4.1)</translation>
    </message>
    <message>
        <source>Delay p99, µs</source>
        <translation>Laufzeit p99, µs</translation>
    </message>
    <message>
        <source>Arrival of a frame&apos;s first packet less its media time, newest 256 frames: one-way delay and the sender&apos;s lateness, true to the error of the node&apos;s clock</source>
        <translation>Ankunft des ersten Pakets eines Frames minus seine Medienzeit, neueste 256 Frames: Einweg-Laufzeit und Verspätung des Senders, so genau wie die Uhr des Knotens</translation>
    </message>
    <message>
        <source>RTT, µs</source>
        <translation>RTT, µs</translation>
    </message>
    <message>
        <source>Round-trip time from RTCP (RFC 3550 section 6.4.1)</source>
        <translation>Umlaufzeit aus RTCP (RFC 3550 Abschnitt 6.4.1)</translation>
    </message>
    <message>
        <source>Send CPU</source>
        <translation>Sende-CPU</translation>
    </message>
    <message>
        <source>Core of the sender&apos;s thread</source>
        <translation>Kern des sendenden Threads</translation>
    </message>
    <message>
        <source>Recv CPU</source>
        <translation>Empf.-CPU</translation>
    </message>
    <message>
        <source>Core of the receiver&apos;s thread</source>
        <translation>Kern des empfangenden Threads</translation>
    </message>
</context>
<context>
    <name>lw::Focus</name>
    <message>
        <source>Tile %1,%2, flow %3</source>
        <translation>Kachel %1,%2, Flow %3</translation>
    </message>
    <message>
        <source>Tile %1,%2</source>
        <translation>Kachel %1,%2</translation>
    </message>
    <message>
        <source>Whole wall</source>
        <translation>Wand</translation>
    </message>
    <message>
        <source>Node %1</source>
        <translation>Knoten %1</translation>
    </message>
</context>
<context>
    <name>lw::HealthStrip</name>
    <message>
        <source>Health of the wall</source>
        <translation>Zustand der Wand</translation>
    </message>
    <message>
        <source>%1 for %2</source>
        <translation>%1 seit %2</translation>
    </message>
    <message>
        <source>%1 ago</source>
        <translation>vor %1</translation>
    </message>
</context>
<context>
    <name>lw::HeatMap</name>
    <message>
        <source>Heat map: %1</source>
        <translation>Heatmap: %1</translation>
    </message>
    <message>
        <source>tile %1,%2</source>
        <translation>Kachel %1,%2</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>nicht gemessen</translation>
    </message>
    <message>
        <source>worst: %1, down to %2 in %3</source>
        <translation>schlechtester: %1, bis hinab zu %2 in %3</translation>
    </message>
    <message>
        <source>worst: %1, up to %2 in %3</source>
        <translation>schlechtester: %1, bis zu %2 in %3</translation>
    </message>
    <message>
        <source>%1 flows</source>
        <translation>%1 Flows</translation>
    </message>
    <message>
        <source>%1 tiles</source>
        <translation>%1 Kacheln</translation>
    </message>
</context>
<context>
    <name>lw::Histogram</name>
    <message>
        <source>Distribution of sizes</source>
        <translation>Verteilung der Größen</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>nicht gemessen</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1: %2; %3: %4</source>
        <translation>%1: %2; %3: %4</translation>
    </message>
</context>
<context>
    <name>lw::ImportDialog</name>
    <message>
        <source>Import</source>
        <translation>Importieren</translation>
    </message>
    <message>
        <source>This host</source>
        <translation>Dieser Host</translation>
    </message>
    <message>
        <source>The server</source>
        <translation>Der Server</translation>
    </message>
    <message>
        <source>The server&apos;s host, %1</source>
        <translation>Host des Servers, %1</translation>
    </message>
    <message>
        <source>&amp;Runs on</source>
        <translation>Läuft a&amp;uf</translation>
    </message>
    <message>
        <source>Progress of the import</source>
        <translation>Fortschritt des Imports</translation>
    </message>
    <message>
        <source>Preview of the source</source>
        <translation>Vorschau der Quelle</translation>
    </message>
    <message>
        <source>Sources that follow</source>
        <translation>Folgende Quellen</translation>
    </message>
    <message>
        <source>Delete takes a source out.</source>
        <translation>Entf nimmt eine Quelle heraus.</translation>
    </message>
    <message>
        <source>Imported one after the other; Delete takes a source out</source>
        <translation>Nacheinander importiert; Entf nimmt eine Quelle heraus</translation>
    </message>
    <message>
        <source>Take out</source>
        <translation>Herausnehmen</translation>
    </message>
    <message>
        <source>Cancel, keep what is done</source>
        <translation>Abbrechen, Fertiges behalten</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>An import goes on; the library shows how far it is</source>
        <translation>Ein Import läuft weiter; die Bibliothek zeigt, wie weit er ist</translation>
    </message>
    <message>
        <source>Cannot read the source</source>
        <translation>Die Quelle lässt sich nicht lesen</translation>
    </message>
    <message>
        <source>File, folder or shot-%05d.png there, below %1</source>
        <translation>Datei, Ordner oder shot-%05d.png dort, unter %1</translation>
    </message>
    <message>
        <source>Video, folder of pictures, shot-%05d.png, or lavfi:testsrc2=…</source>
        <translation>Video, Bilderordner, shot-%05d.png oder lavfi:testsrc2=…</translation>
    </message>
    <message>
        <source>Files…</source>
        <translation>Dateien…</translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation>Ordner…</translation>
    </message>
    <message>
        <source>Videos to import</source>
        <translation>Zu importierende Videos</translation>
    </message>
    <message>
        <source>Folder of pictures to import</source>
        <translation>Zu importierender Bilderordner</translation>
    </message>
    <message>
        <source>&amp;Source</source>
        <translation>&amp;Quelle</translation>
    </message>
    <message>
        <source>From the source</source>
        <translation>Aus der Quelle</translation>
    </message>
    <message>
        <source>Separated by commas</source>
        <translation>Durch Kommas getrennt</translation>
    </message>
    <message>
        <source>All of it, with borders</source>
        <translation>Ganz, mit Rändern</translation>
    </message>
    <message>
        <source>Fill the wall, cut off the rest</source>
        <translation>Wand füllen, Rest abschneiden</translation>
    </message>
    <message>
        <source>Stretch</source>
        <translation>Strecken</translation>
    </message>
    <message>
        <source>Actual pixels</source>
        <translation>Originalpixel</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>&amp;Name</translation>
    </message>
    <message>
        <source>&amp;Title</source>
        <translation>&amp;Titel</translation>
    </message>
    <message>
        <source>Ta&amp;gs</source>
        <translation>Ta&amp;gs</translation>
    </message>
    <message>
        <source>F&amp;it</source>
        <translation>&amp;Einpassung</translation>
    </message>
    <message>
        <source>The wall file that the server was started with</source>
        <translation>Die Wanddatei, mit welcher der Server gestartet wurde</translation>
    </message>
    <message>
        <source>The server&apos;s content folder</source>
        <translation>Inhaltsordner des Servers</translation>
    </message>
    <message>
        <source>More, separated by commas, for stripes on further disks</source>
        <translation>Weitere, durch Kommas getrennt, für Streifen auf weiteren Datenträgern</translation>
    </message>
    <message>
        <source>File…</source>
        <translation>Datei…</translation>
    </message>
    <message>
        <source>Wall file</source>
        <translation>Wanddatei</translation>
    </message>
    <message>
        <source>Wall files (*.toml)</source>
        <translation>Wanddateien (*.toml)</translation>
    </message>
    <message>
        <source>Content folder</source>
        <translation>Inhaltsordner</translation>
    </message>
    <message>
        <source>&amp;Wall file</source>
        <translation>&amp;Wanddatei</translation>
    </message>
    <message>
        <source>&amp;Content</source>
        <translation>&amp;Inhalt</translation>
    </message>
    <message>
        <source>Put on the wall when ready</source>
        <translation>Auf die Wand, sobald fertig</translation>
    </message>
    <message>
        <source>Low priority: other programs of this host go first</source>
        <translation>Niedrige Priorität: andere Programme dieses Hosts gehen vor</translation>
    </message>
    <message>
        <source>Choose a video, a folder of pictures or a test source</source>
        <translation>Ein Video, einen Bilderordner oder eine Testquelle wählen</translation>
    </message>
    <message>
        <source>Replace “%1”, which the library has</source>
        <translation>„%1“ aus der Bibliothek ersetzen</translation>
    </message>
    <message>
        <source>The library has %1 already: choose another name, or Replace</source>
        <translation>Die Bibliothek hat %1 schon: einen anderen Namen wählen oder „Ersetzen“</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Ersetzen</translation>
    </message>
    <message>
        <source>Beginning</source>
        <translation>Beginnt</translation>
    </message>
    <message>
        <source>%1 is in the library</source>
        <translation>%1 ist in der Bibliothek</translation>
    </message>
    <message>
        <source>Cancelled; Resume goes on from there. %1</source>
        <translation>Abgebrochen; „Fortsetzen“ macht dort weiter. %1</translation>
    </message>
    <message>
        <source>Source of the import</source>
        <translation>Quelle des Imports</translation>
    </message>
    <message>
        <source>On the server…</source>
        <translation>Auf dem Server…</translation>
    </message>
    <message>
        <source>Files and folders that the server can import</source>
        <translation>Dateien und Ordner, die der Server importieren kann</translation>
    </message>
    <message>
        <source>Fol&amp;ders</source>
        <translation>O&amp;rdner</translation>
    </message>
    <message>
        <source>The server is reading it…</source>
        <translation>Der Server liest sie…</translation>
    </message>
    <message>
        <source>The server&apos;s version has no preview. Its size is known when the import begins.</source>
        <translation>Diese Version des Servers zeigt keine Vorschau. Die Größe ist bekannt, wenn der Import beginnt.</translation>
    </message>
    <message>
        <source>Compressed blocks need a thinner link and less space; graphics cards decode them</source>
        <translation>Komprimierte Blöcke brauchen eine dünnere Leitung und weniger Platz; Grafikkarten decodieren sie</translation>
    </message>
    <message>
        <source>As the wall file says</source>
        <translation>Wie in der Wanddatei</translation>
    </message>
    <message>
        <source>RGB, 8 bits</source>
        <translation>RGB, 8 Bit</translation>
    </message>
    <message>
        <source>Y&apos;CbCr 4:2:2, 8 bits: two thirds of RGB</source>
        <translation>Y&apos;CbCr 4:2:2, 8 Bit: zwei Drittel von RGB</translation>
    </message>
    <message>
        <source>Y&apos;CbCr 4:2:2, 10 bits: five sixths of RGB</source>
        <translation>Y&apos;CbCr 4:2:2, 10 Bit: fünf Sechstel von RGB</translation>
    </message>
    <message>
        <source>BC7 blocks: a third of RGB, hardly visible</source>
        <translation>BC7-Blöcke: ein Drittel von RGB, kaum sichtbar</translation>
    </message>
    <message>
        <source>BC1 blocks: a sixth of RGB, visible in gradients</source>
        <translation>BC1-Blöcke: ein Sechstel von RGB, in Verläufen sichtbar</translation>
    </message>
    <message>
        <source>Lossless: a third of RGB or more, by content</source>
        <translation>Verlustfrei: je nach Inhalt ein Drittel von RGB oder mehr</translation>
    </message>
    <message>
        <source>For&amp;mat</source>
        <translation>For&amp;mat</translation>
    </message>
    <message>
        <source>RGB, 10 bits: five quarters of 8</source>
        <translation>RGB, 10 Bit: fünf Viertel von 8</translation>
    </message>
</context>
<context>
    <name>lw::ImportFolders</name>
    <message>
        <source>%1 of %2 free</source>
        <translation>%1 von %2 frei</translation>
    </message>
    <message>
        <source>cannot be read</source>
        <translation>nicht lesbar</translation>
    </message>
    <message>
        <source>stripes only</source>
        <translation>nur Streifen</translation>
    </message>
    <message>
        <source>Folders of the server</source>
        <translation>Ordner des Servers</translation>
    </message>
    <message>
        <source>The first chosen one gets the store; its frames are distributed over all of them</source>
        <translation>Der erste gewählte bekommt die Visualisierung; ihre Frames verteilen sich auf alle</translation>
    </message>
    <message>
        <source>This server has no content folder; start wall-server with --content DIR</source>
        <translation>Dieser Server hat keinen Inhaltsordner; wall-server mit --content DIR starten</translation>
    </message>
    <message>
        <source>Choose a folder that can have stores</source>
        <translation>Einen Ordner wählen, der Visualisierungen aufnehmen kann</translation>
    </message>
    <message>
        <source>%1 has no room for %2: %3 are free.</source>
        <translation>%1 hat keinen Platz für %2: %3 sind frei.</translation>
    </message>
</context>
<context>
    <name>lw::IngestProbe</name>
    <message>
        <source>%1 fps</source>
        <translation>%1 fps</translation>
    </message>
    <message>
        <source>The length is not known before it is read</source>
        <translation>Die Länge ist erst nach dem Lesen bekannt</translation>
    </message>
    <message>
        <source>Needs %1</source>
        <translation>Braucht %1</translation>
    </message>
    <message>
        <source>%1 become %2</source>
        <translation>Aus %1 werden %2</translation>
    </message>
    <message>
        <source>Its sound is kept: 1 channel.</source>
        <translation>Ihr Ton bleibt erhalten: 1 Kanal.</translation>
    </message>
    <message>
        <source>Its sound is kept: %1 channels.</source>
        <translation>Ihr Ton bleibt erhalten: %1 Kanäle.</translation>
    </message>
    <message>
        <source>It is HDR video, which is converted to the colours of the wall.</source>
        <translation>Das Video ist HDR und wird in die Farben der Wand umgerechnet.</translation>
    </message>
    <message>
        <source>%1 % of this wall&apos;s pixels were behind the bezels of the wall that it was made for: they repeat the pixels beside them.</source>
        <translation>%1 % der Pixel dieser Wand lagen hinter den Rahmen der Wand, für die sie gemacht wurde: Sie wiederholen die Pixel daneben.</translation>
    </message>
</context>
<context>
    <name>lw::IngestRun</name>
    <message>
        <source>%1 fps, %2 MB/s</source>
        <translation>%1 fps, %2 MB/s</translation>
    </message>
    <message>
        <source> (at most %1 while a wall plays)</source>
        <translation> (höchstens %1, während eine Wand spielt)</translation>
    </message>
    <message>
        <source>, server %1</source>
        <translation>, Server %1</translation>
    </message>
    <message>
        <source>1 frame, %1</source>
        <translation>1 Frame, %1</translation>
    </message>
    <message>
        <source>%1 frames, %2</source>
        <translation>%1 Frames, %2</translation>
    </message>
    <message>
        <source>frame %1 of %2, %3</source>
        <translation>Frame %1 von %2, %3</translation>
    </message>
    <message>
        <source>, %1:%2 left</source>
        <translation>, noch %1:%2</translation>
    </message>
    <message>
        <source>wall-ingest is neither beside this program nor in the PATH; install it here</source>
        <translation>wall-ingest liegt weder neben diesem Programm noch im PATH; hier installieren</translation>
    </message>
    <message>
        <source>Choose a video, a folder of pictures or a test source</source>
        <translation>Ein Video, einen Bilderordner oder eine Testquelle wählen</translation>
    </message>
    <message>
        <source>Choose the wall file that the server was started with</source>
        <translation>Die Wanddatei wählen, mit welcher der Server gestartet wurde</translation>
    </message>
    <message>
        <source>Choose the server&apos;s content folder</source>
        <translation>Den Inhaltsordner des Servers wählen</translation>
    </message>
    <message>
        <source>%1: a folder with a comma in its name cannot be given</source>
        <translation>%1: ein Ordner mit einem Komma im Namen lässt sich nicht angeben</translation>
    </message>
    <message>
        <source>%1 is not a folder of this machine</source>
        <translation>%1 ist kein Ordner dieses Rechners</translation>
    </message>
    <message>
        <source>wall-ingest ended with code %1</source>
        <translation>wall-ingest endete mit Code %1</translation>
    </message>
    <message>
        <source>You are not allowed to write to %1</source>
        <translation>In %1 darf nicht geschrieben werden</translation>
    </message>
</context>
<context>
    <name>lw::Inspector</name>
    <message>
        <source>Keep showing this</source>
        <translation>Dies weiter zeigen</translation>
    </message>
    <message>
        <source>Copy figures as text</source>
        <translation>Werte als Text kopieren</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>Inspektor</translation>
    </message>
    <message>
        <source>Keep showing this part, whatever is selected</source>
        <translation>Diesen Teil weiter zeigen, was auch ausgewählt wird</translation>
    </message>
    <message>
        <source>No wall is connected yet. Connect to a server to see its tiles, nodes and flows.</source>
        <translation>Noch ist keine Wand verbunden. Mit einem Server verbinden, um Kacheln, Knoten und Flows zu sehen.</translation>
    </message>
    <message>
        <source>Identify</source>
        <translation>Identifizieren</translation>
    </message>
    <message>
        <source>Show its number, node and size on the wall</source>
        <translation>Nummer, Knoten und Größe auf der Wand zeigen</translation>
    </message>
    <message>
        <source>Where the time goes</source>
        <translation>Wo die Zeit bleibt</translation>
    </message>
    <message>
        <source>median of 256 frames</source>
        <translation>Median von 256 Frames</translation>
    </message>
    <message>
        <source>Flows</source>
        <translation>Flows</translation>
    </message>
    <message>
        <source>mean of 10 s</source>
        <translation>Mittel von 10 s</translation>
    </message>
    <message>
        <source>Wall</source>
        <translation>Wand</translation>
    </message>
    <message>
        <source>Tile %1,%2</source>
        <translation>Kachel %1,%2</translation>
    </message>
    <message>
        <source>Flow %1</source>
        <translation>Flow %1</translation>
    </message>
    <message>
        <source>Picture faults</source>
        <translation>Bildfehler</translation>
    </message>
    <message>
        <source>Degraded, picture intact</source>
        <translation>Beeinträchtigt, Bild intakt</translation>
    </message>
    <message>
        <source>Tiles without a picture</source>
        <translation>Kacheln ohne Bild</translation>
    </message>
    <message>
        <source>No picture</source>
        <translation>Kein Bild</translation>
    </message>
    <message>
        <source>In step</source>
        <translation>Synchron</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>Nothing measured yet</source>
        <translation>Noch nichts gemessen</translation>
    </message>
    <message>
        <source>on %1</source>
        <translation>auf %1</translation>
    </message>
    <message>
        <source>%1 · for %2</source>
        <translation>%1 · seit %2</translation>
    </message>
    <message>
        <source>%1 of %2 tiles affected</source>
        <translation>%1 von %2 Kacheln betroffen</translation>
    </message>
    <message>
        <source>median of the tiles</source>
        <translation>Median der Kacheln</translation>
    </message>
    <message>
        <source>slowest tile, median of 256 frames</source>
        <translation>langsamste Kachel, Median von 256 Frames</translation>
    </message>
    <message>
        <source>Flows, worst first</source>
        <translation>Flows, schlechteste zuerst</translation>
    </message>
    <message>
        <source>Tile</source>
        <translation>Kachel</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>sums and worsts</source>
        <translation>Summen und schlechteste</translation>
    </message>
    <message>
        <source>Tile %1,%2 on %3</source>
        <translation>Kachel %1,%2 an %3</translation>
    </message>
    <message>
        <source>Likely cause: %1. %2</source>
        <translation>Wahrscheinliche Ursache: %1. %2</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>nicht gemessen</translation>
    </message>
    <message>
        <source>Tiles</source>
        <translation>Kacheln</translation>
    </message>
</context>
<context>
    <name>lw::KeepDialog</name>
    <message>
        <source>Save this connection</source>
        <translation>Diese Verbindung speichern</translation>
    </message>
    <message>
        <source>View only: nothing on the wall can be changed from here</source>
        <translation>Nur ansehen: Von hier lässt sich an der Wand nichts ändern</translation>
    </message>
    <message>
        <source>%1 gets a name in the list of walls, and a key: Alt+1 for the first.</source>
        <translation>%1 bekommt einen Namen in der Liste der Wände und eine Taste: Alt+1 für die erste.</translation>
    </message>
    <message>
        <source>Name of the wall</source>
        <translation>Name der Wand</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keines</translation>
    </message>
    <message>
        <source>Token for this server</source>
        <translation>Token für diesen Server</translation>
    </message>
    <message>
        <source>&quot;wall-server --add-token&quot; prints one. Saved in this program&apos;s settings, which only you can read</source>
        <translation>„wall-server --add-token“ gibt eines aus. Gespeichert in den Einstellungen dieses Programms, die sonst niemand lesen kann</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>lw::KeysDialog</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>Aktion</translation>
    </message>
    <message>
        <source> or </source>
        <translation> oder </translation>
    </message>
    <message>
        <source>Search keys and actions</source>
        <translation>Tasten und Aktionen suchen</translation>
    </message>
</context>
<context>
    <name>lw::LaneChart</name>
    <message>
        <source>Charts</source>
        <translation>Diagramme</translation>
    </message>
    <message>
        <source>%1 up to %2 %3</source>
        <translation>%1 bis %2 %3</translation>
    </message>
    <message>
        <source>worst: %1</source>
        <translation>schlechteste: %1</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>nicht gemessen</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>in all</source>
        <translation>gesamt</translation>
    </message>
    <message>
        <source>worst</source>
        <translation>Spitze</translation>
    </message>
    <message>
        <source>median</source>
        <translation>Median</translation>
    </message>
    <message>
        <source>All lines</source>
        <translation>Alle Linien</translation>
    </message>
    <message>
        <source>Sum</source>
        <translation>Summe</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>Median</translation>
    </message>
    <message>
        <source>Least to greatest</source>
        <translation>Kleinster bis größter</translation>
    </message>
    <message>
        <source>limit %1 %2</source>
        <translation>Grenze %1 %2</translation>
    </message>
    <message>
        <source>by flow</source>
        <translation>nach Flow</translation>
    </message>
    <message>
        <source>by tile</source>
        <translation>nach Kachel</translation>
    </message>
    <message>
        <source>whole wall</source>
        <translation>ganze Wand</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>all %1 tiles, least to greatest</source>
        <translation>alle %1 Kacheln, kleinster bis größter</translation>
    </message>
    <message>
        <source>all %1 flows, least to greatest</source>
        <translation>alle %1 Flows, kleinster bis größter</translation>
    </message>
    <message>
        <source>Worst:</source>
        <translation>Schlechteste:</translation>
    </message>
</context>
<context>
    <name>lw::LevelMeter</name>
    <message>
        <source>Level</source>
        <translation>Pegel</translation>
    </message>
    <message>
        <source>Loudest sample of the last tenths of a second, of the loudest node, below full scale</source>
        <translation>Lautestes Sample der letzten Zehntelsekunden, vom lautesten Knoten, unter Vollaussteuerung</translation>
    </message>
    <message>
        <source>nothing plays</source>
        <translation>nichts läuft</translation>
    </message>
    <message>
        <source>silence</source>
        <translation>Stille</translation>
    </message>
    <message>
        <source>%1 dB</source>
        <translation>%1 dB</translation>
    </message>
</context>
<context>
    <name>lw::LibraryDelegate</name>
    <message>
        <source>Importing %1 %</source>
        <translation>Import %1 %</translation>
    </message>
    <message>
        <source>On the wall</source>
        <translation>Auf der Wand</translation>
    </message>
    <message>
        <source>Being imported</source>
        <translation>Wird importiert</translation>
    </message>
    <message>
        <source>Only on other servers</source>
        <translation>Nur auf anderen Servern</translation>
    </message>
    <message>
        <source>%1 · %2 Gbit/s</source>
        <translation>%1 · %2 Gbit/s</translation>
    </message>
</context>
<context>
    <name>lw::LibraryModel</name>
    <message>
        <source>✓ %1: has it</source>
        <translation>✓ %1: hat sie</translation>
    </message>
    <message>
        <source>✗ %1: none of this name</source>
        <translation>✗ %1: keine dieses Namens</translation>
    </message>
    <message>
        <source>✗ %1: another edition</source>
        <translation>✗ %1: eine andere Ausgabe</translation>
    </message>
    <message>
        <source>✗ %1: %2</source>
        <translation>✗ %1: %2</translation>
    </message>
    <message>
        <source>? %1: not known</source>
        <translation>? %1: nicht bekannt</translation>
    </message>
    <message>
        <source>Holds %1 of %2 tiles</source>
        <translation>Enthält %1 von %2 Kacheln</translation>
    </message>
    <message>
        <source>Tags: %1</source>
        <translation>Tags: %1</translation>
    </message>
    <message>
        <source>Made %1</source>
        <translation>Erstellt %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Importing %1 %</source>
        <translation>Import %1 %</translation>
    </message>
    <message>
        <source>Does not fit: %1</source>
        <translation>Passt nicht: %1</translation>
    </message>
    <message>
        <source>Too fast for this link: %1</source>
        <translation>Zu schnell für diese Leitung: %1</translation>
    </message>
    <message>
        <source>Too fast: %1</source>
        <translation>Zu schnell: %1</translation>
    </message>
    <message>
        <source>%1 so far</source>
        <translation>bisher %1</translation>
    </message>
    <message>
        <source>Fits; %1</source>
        <translation>Passt; %1</translation>
    </message>
    <message>
        <source>Fits, tight: %1</source>
        <translation>Passt knapp: %1</translation>
    </message>
    <message>
        <source>Fits this wall</source>
        <translation>Passt auf diese Wand</translation>
    </message>
    <message>
        <source>Does not fit</source>
        <translation>Passt nicht</translation>
    </message>
    <message>
        <source>Too fast</source>
        <translation>Zu schnell</translation>
    </message>
    <message>
        <source>%1 · %2 fps</source>
        <translation>%1 · %2 fps</translation>
    </message>
    <message>
        <source>%1 needs %2, has %3</source>
        <translation>%1 braucht %2, hat %3</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1, %2 frames, %3 gigabits per second, %4</source>
        <translation>%1, %2 Frames, %3 Gigabit je Sekunde, %4</translation>
    </message>
    <message>
        <source>Sound: none</source>
        <translation>Ton: keiner</translation>
    </message>
    <message>
        <source>Sound: 1 channel</source>
        <translation>Ton: 1 Kanal</translation>
    </message>
    <message>
        <source>Sound: %1 channels</source>
        <translation>Ton: %1 Kanäle</translation>
    </message>
</context>
<context>
    <name>lw::LibraryPanel</name>
    <message>
        <source>Missing: %1</source>
        <translation>Fehlt: %1</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>%1 weitere</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Search the library</source>
        <translation>Bibliothek durchsuchen</translation>
    </message>
    <message>
        <source>Next transition</source>
        <translation>Nächster Übergang</translation>
    </message>
    <message>
        <source>How the next one from the library follows: by a cut, or the next length of fade</source>
        <translation>Wie die nächste aus der Bibliothek folgt: mit einem Schnitt oder der nächsten Länge der Blende</translation>
    </message>
    <message>
        <source>Read the library again</source>
        <translation>Bibliothek neu lesen</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>Importieren…</translation>
    </message>
    <message>
        <source>Bring a video, pictures or a test source into the library</source>
        <translation>Ein Video, Bilder oder eine Testquelle in die Bibliothek bringen</translation>
    </message>
    <message>
        <source>Edit details…</source>
        <translation>Details bearbeiten…</translation>
    </message>
    <message>
        <source>Edit title, tags and description</source>
        <translation>Titel, Tags und Beschreibung bearbeiten</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>Löschen…</translation>
    </message>
    <message>
        <source>Delete it from the disks of the wall&apos;s servers; asks first</source>
        <translation>Von den Datenträgern der Server der Wand löschen; fragt vorher</translation>
    </message>
    <message>
        <source>Play on the wall	Enter</source>
        <translation>Auf der Wand spielen	Enter</translation>
    </message>
    <message>
        <source>Add to playlist</source>
        <translation>Zur Playlist hinzufügen</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Title A to Z</source>
        <translation>Titel A–Z</translation>
    </message>
    <message>
        <source>Fastest first</source>
        <translation>Schnellste zuerst</translation>
    </message>
    <message>
        <source>Largest first</source>
        <translation>Größte zuerst</translation>
    </message>
    <message>
        <source>Newest first</source>
        <translation>Neueste zuerst</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>Reihenfolge</translation>
    </message>
    <message>
        <source>Order of the library</source>
        <translation>Reihenfolge der Bibliothek</translation>
    </message>
    <message>
        <source>Cards or rows</source>
        <translation>Karten oder Zeilen</translation>
    </message>
    <message>
        <source>Cards; press for rows with all figures</source>
        <translation>Karten; drücken für Zeilen mit allen Werten</translation>
    </message>
    <message>
        <source>Rows; press for cards</source>
        <translation>Zeilen; drücken für Karten</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Search titles and tags</source>
        <translation>Titel und Tags suchen</translation>
    </message>
    <message>
        <source>Fits this wall</source>
        <translation>Passt hier</translation>
    </message>
    <message>
        <source>Only those that this wall and its link can play</source>
        <translation>Nur die, welche diese Wand und ihre Leitung spielen können</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>Tags</translation>
    </message>
    <message>
        <source>Only those with a tag</source>
        <translation>Nur die mit einem Tag</translation>
    </message>
    <message>
        <source>Drop a video here to import it</source>
        <translation>Video zum Importieren ablegen</translation>
    </message>
    <message>
        <source>Size of the cards</source>
        <translation>Größe der Karten</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>1 visualization</source>
        <translation>1 Titel</translation>
    </message>
    <message>
        <source>%1 visualizations</source>
        <translation>%1 Titel</translation>
    </message>
    <message>
        <source>1 folder missing</source>
        <translation>1 Ordner fehlt</translation>
    </message>
    <message>
        <source>%1 folders missing</source>
        <translation>%1 Ordner fehlen</translation>
    </message>
    <message>
        <source>%1 damaged</source>
        <translation>%1 beschädigt</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Nichts gefunden</translation>
    </message>
    <message>
        <source>No visualization matches the search and the filters.</source>
        <translation>Keine Visualisierung passt zu Suche und Filtern.</translation>
    </message>
    <message>
        <source>Show all visualizations</source>
        <translation>Alle Visualisierungen zeigen</translation>
    </message>
    <message>
        <source>No library</source>
        <translation>Keine Bibliothek</translation>
    </message>
    <message>
        <source>Connect to a server to see its visualizations.</source>
        <translation>Mit einem Server verbinden, um seine Visualisierungen zu sehen.</translation>
    </message>
    <message>
        <source>No visualizations yet</source>
        <translation>Noch keine Visualisierungen</translation>
    </message>
    <message>
        <source>Drop a video or a folder of pictures here, or choose one.</source>
        <translation>Ein Video oder einen Bilderordner hier ablegen oder auswählen.</translation>
    </message>
    <message>
        <source>All tags</source>
        <translation>Alle Tags</translation>
    </message>
    <message>
        <source>It is on the wall now. Load another visualization, or stop, before deleting it.</source>
        <translation>Sie ist gerade auf der Wand. Vor dem Löschen eine andere Visualisierung laden oder stoppen.</translation>
    </message>
    <message>
        <source>The wall is fading to it. Load another visualization first.</source>
        <translation>Die Wand blendet gerade zu ihr über. Zuerst eine andere Visualisierung laden.</translation>
    </message>
    <message>
        <source>It is entry %1 of what follows in the live playlist. Remove it there, and apply that, before deleting it.</source>
        <translation>Sie ist Eintrag %1 der folgenden in der Live-Playlist. Vor dem Löschen dort entfernen und das anwenden.</translation>
    </message>
    <message>
        <source>Cut for this wall…</source>
        <translation>Für diese Wand zuschneiden…</translation>
    </message>
    <message>
        <source>Make a visualization for this wall from one that was made for another</source>
        <translation>Aus einer Visualisierung für eine andere Wand eine für diese Wand machen</translation>
    </message>
</context>
<context>
    <name>lw::LibraryView</name>
    <message>
        <source>Library</source>
        <translation>Bibliothek</translation>
    </message>
</context>
<context>
    <name>lw::LinePanel</name>
    <message>
        <source>Figures of the chosen time, worst first</source>
        <translation>Werte der gewählten Zeit, schlechteste zuerst</translation>
    </message>
    <message>
        <source>Enter opens, Ctrl+C copies rows</source>
        <translation>Enter öffnet, Strg+C kopiert Zeilen</translation>
    </message>
    <message>
        <source>Rows of the table</source>
        <translation>Zeilen der Tabelle</translation>
    </message>
    <message>
        <source>By flow</source>
        <translation>Nach Flow</translation>
    </message>
    <message>
        <source>By tile</source>
        <translation>Nach Kachel</translation>
    </message>
    <message>
        <source>By node</source>
        <translation>Nach Knoten</translation>
    </message>
</context>
<context>
    <name>lw::LineTableModel</name>
    <message>
        <source>Nothing measured yet</source>
        <translation>Noch nichts gemessen</translation>
    </message>
    <message>
        <source>No packets lost</source>
        <translation>Keine Pakete verloren</translation>
    </message>
    <message>
        <source>%1 of %2 nodes lost packets</source>
        <translation>%1 von %2 Knoten verloren Pakete</translation>
    </message>
    <message>
        <source>%1 of %2 tiles lost packets</source>
        <translation>%1 von %2 Kacheln verloren Pakete</translation>
    </message>
    <message>
        <source>%1 of %2 flows lost packets</source>
        <translation>%1 von %2 Flows verloren Pakete</translation>
    </message>
    <message>
        <source>%1, all on %2</source>
        <translation>%1, alle auf %2</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>nicht gemessen</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1 over the time shown</source>
        <translation>%1 über die gezeigte Zeit</translation>
    </message>
    <message>
        <source>%1 in %2, over the chosen time: half, or 99 %, of the samples are at or below</source>
        <translation>%1 in %2, über die gewählte Zeit: die Hälfte oder 99 % der Messwerte sind höchstens so groß</translation>
    </message>
    <message>
        <source>Packets lost per second, mean of the chosen time; beyond ten minutes, at most that</source>
        <translation>Verlorene Pakete je Sekunde, Mittel der gewählten Zeit; über zehn Minuten hinaus höchstens so viele</translation>
    </message>
    <message>
        <source>Share of the lost packets that the node&apos;s kernel dropped at a full receive buffer</source>
        <translation>Anteil der verlorenen Pakete, die der Kernel des Knotens am vollen Empfangspuffer verworfen hat</translation>
    </message>
    <message>
        <source>Share of the lost packets that a resend or FEC replaced in time</source>
        <translation>Anteil der verlorenen Pakete, die eine Neusendung oder FEC rechtzeitig ersetzt hat</translation>
    </message>
    <message>
        <source>Flow</source>
        <translation>Flow</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Tile</source>
        <translation>Kachel</translation>
    </message>
    <message>
        <source>p50, %1</source>
        <translation>p50, %1</translation>
    </message>
    <message>
        <source>p99, %1</source>
        <translation>p99, %1</translation>
    </message>
    <message>
        <source>Lost/s</source>
        <translation>Verl./s</translation>
    </message>
    <message>
        <source>Kernel drops</source>
        <translation>Kernel-Drops</translation>
    </message>
    <message>
        <source>Repaired</source>
        <translation>Repariert</translation>
    </message>
</context>
<context>
    <name>lw::LiveButton</name>
    <message>
        <source>Live</source>
        <translation>Live</translation>
    </message>
    <message>
        <source>Held</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>The charts follow the newest samples. Click to pause them (P)</source>
        <translation>Die Diagramme folgen den neuesten Messwerten. Klicken, um sie anzuhalten (P)</translation>
    </message>
    <message>
        <source>The charts are paused; nothing is lost. Click to follow the newest samples (P)</source>
        <translation>Die Diagramme sind angehalten; nichts geht verloren. Klicken, um den neuesten Messwerten zu folgen (P)</translation>
    </message>
    <message>
        <source>Live, pause charts</source>
        <translation>Live, Diagramme anhalten</translation>
    </message>
    <message>
        <source>Held, show live charts</source>
        <translation>Angehalten, Diagramme live zeigen</translation>
    </message>
</context>
<context>
    <name>lw::MachinePage</name>
    <message>
        <source>Server %1</source>
        <translation>Server %1</translation>
    </message>
    <message>
        <source>Node %1</source>
        <translation>Knoten %1</translation>
    </message>
    <message>
        <source>The hosts</source>
        <translation>Die Hosts</translation>
    </message>
    <message>
        <source>Connect to a server to see its hosts</source>
        <translation>Mit einem Server verbinden, um seine Hosts zu sehen</translation>
    </message>
    <message>
        <source>Its facts have not come: it is not connected, or of an older version</source>
        <translation>Seine Daten fehlen: nicht verbunden oder eine ältere Version</translation>
    </message>
    <message>
        <source>On no NUMA node</source>
        <translation>Auf keinem NUMA-Knoten</translation>
    </message>
    <message>
        <source>Network: %1</source>
        <translation>Netz: %1</translation>
    </message>
    <message>
        <source>Disk: %1</source>
        <translation>Datenträger: %1</translation>
    </message>
    <message>
        <source>CPU %1</source>
        <translation>CPU %1</translation>
    </message>
    <message>
        <source>flow %1</source>
        <translation>Flow %1</translation>
    </message>
    <message>
        <source>%1 flow %2 on CPU %3: %4</source>
        <translation>%1 Flow %2 auf CPU %3: %4</translation>
    </message>
    <message>
        <source>No flow is pinned here now</source>
        <translation>Hier ist jetzt kein Flow gebunden</translation>
    </message>
    <message>
        <source>Every flow is well placed</source>
        <translation>Jeder Flow liegt gut</translation>
    </message>
</context>
<context>
    <name>lw::MainWindow</name>
    <message>
        <source>Lambdawall control</source>
        <translation>Lambdawall Control</translation>
    </message>
    <message>
        <source>State of the wall</source>
        <translation>Zustand der Wand</translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation>Hosts</translation>
    </message>
    <message>
        <source>Sites</source>
        <translation>Standorte</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>Bibliothek</translation>
    </message>
    <message>
        <source>Playlist</source>
        <translation>Playlist</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>Inspektor</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>Charts</source>
        <translation>Diagramme</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>Ereignisse</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Connected. No statistics have arrived yet.</source>
        <translation>Verbunden. Noch sind keine Statistiken angekommen.</translation>
    </message>
    <message>
        <source>%1 - Lambdawall control</source>
        <translation>%1 – Lambdawall Control</translation>
    </message>
    <message>
        <source>Clock error not known</source>
        <translation>Uhrenfehler unbekannt</translation>
    </message>
    <message>
        <source>One clock for all nodes</source>
        <translation>Eine Uhr für alle Knoten</translation>
    </message>
    <message>
        <source>Clocks within</source>
        <translation>Uhren innerhalb von</translation>
    </message>
    <message>
        <source>Recording %1:%2:%3</source>
        <translation>Aufnahme %1:%2:%3</translation>
    </message>
    <message>
        <source>No alarms</source>
        <translation>Keine Alarme</translation>
    </message>
    <message>
        <source>%1 pixels</source>
        <translation>%1 Pixel</translation>
    </message>
    <message>
        <source>%1 fps</source>
        <translation>%1 fps</translation>
    </message>
    <message>
        <source>Nothing is playing</source>
        <translation>Nichts läuft</translation>
    </message>
    <message>
        <source>Copied: %1</source>
        <translation>Kopiert: %1</translation>
    </message>
    <message>
        <source>Export what is shown</source>
        <translation>Gezeigtes exportieren</translation>
    </message>
    <message>
        <source>Figures (*.csv *.json);;Chart (*.png *.svg *.pdf);;Report (*.html *.pdf)</source>
        <translation>Werte (*.csv *.json);;Diagramm (*.png *.svg *.pdf);;Bericht (*.html *.pdf)</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>%1 gespeichert</translation>
    </message>
    <message>
        <source>Save connection</source>
        <translation>Verbindung speichern</translation>
    </message>
    <message>
        <source>Save this wall&apos;s address, name and token for later</source>
        <translation>Adresse, Name und Token dieser Wand für später speichern</translation>
    </message>
    <message>
        <source>Remove connection</source>
        <translation>Verbindung entfernen</translation>
    </message>
    <message>
        <source>Remove a saved wall</source>
        <translation>Eine gespeicherte Wand entfernen</translation>
    </message>
    <message>
        <source>Disconnect</source>
        <translation>Trennen</translation>
    </message>
    <message>
        <source>Disconnect from the wall</source>
        <translation>Von der Wand trennen</translation>
    </message>
    <message>
        <source>First saved wall</source>
        <translation>Erste gespeicherte Wand</translation>
    </message>
    <message>
        <source>Connect to the first saved wall; Alt+2 to the second, and so on</source>
        <translation>Mit der ersten gespeicherten Wand verbinden; Alt+2 mit der zweiten und so weiter</translation>
    </message>
    <message>
        <source>Open session</source>
        <translation>Aufzeichnung öffnen</translation>
    </message>
    <message>
        <source>Open a recorded session</source>
        <translation>Eine Aufzeichnung öffnen</translation>
    </message>
    <message>
        <source>Record session</source>
        <translation>Aufzeichnen</translation>
    </message>
    <message>
        <source>Record a session, or stop recording</source>
        <translation>Eine Aufzeichnung beginnen oder beenden</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Save what charts, heat map or table show: figures (.csv, .json) or the chart (.png, .svg, .pdf)</source>
        <translation>Speichern, was Diagramme, Heatmap oder Tabelle zeigen: Werte (.csv, .json) oder das Diagramm (.png, .svg, .pdf)</translation>
    </message>
    <message>
        <source>Save report</source>
        <translation>Bericht speichern</translation>
    </message>
    <message>
        <source>Save a report of the shown time: verdict, figures and incidents (.html, .pdf)</source>
        <translation>Einen Bericht der gezeigten Zeit speichern: Urteil, Werte und Vorfälle (.html, .pdf)</translation>
    </message>
    <message>
        <source>Save a report</source>
        <translation>Einen Bericht speichern</translation>
    </message>
    <message>
        <source>Report (*.html *.pdf)</source>
        <translation>Bericht (*.html *.pdf)</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Close the window</source>
        <translation>Das Fenster schließen</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>Redo what was undone</source>
        <translation>Rückgängig Gemachtes wiederholen</translation>
    </message>
    <message>
        <source>Copy figures</source>
        <translation>Werte kopieren</translation>
    </message>
    <message>
        <source>Copy the figures of the inspector as text</source>
        <translation>Die Werte des Inspektors als Text kopieren</translation>
    </message>
    <message>
        <source>Next theme</source>
        <translation>Nächstes Farbschema</translation>
    </message>
    <message>
        <source>Next theme: dark, light, high contrast</source>
        <translation>Nächstes Farbschema: dunkel, hell, hoher Kontrast</translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation>Größerer Text</translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation>Kleinerer Text</translation>
    </message>
    <message>
        <source>Usual text</source>
        <translation>Normaler Text</translation>
    </message>
    <message>
        <source>Text as large as usual</source>
        <translation>Text so groß wie üblich</translation>
    </message>
    <message>
        <source>Identify</source>
        <translation>Identifizieren</translation>
    </message>
    <message>
        <source>Show each tile&apos;s number, node and size on the wall</source>
        <translation>Nummer, Knoten und Größe jeder Kachel auf der Wand zeigen</translation>
    </message>
    <message>
        <source>Mark concealed rows</source>
        <translation>Verdeckte Zeilen markieren</translation>
    </message>
    <message>
        <source>Mark the rows on the wall that did not arrive and show the frame before</source>
        <translation>Auf der Wand die Zeilen markieren, die nicht ankamen und den vorigen Frame zeigen</translation>
    </message>
    <message>
        <source>Lock</source>
        <translation>Sperren</translation>
    </message>
    <message>
        <source>Lock the controls of the wall against a slip of the hand, or unlock them</source>
        <translation>Die Steuerung der Wand gegen Versehen sperren oder entsperren</translation>
    </message>
    <message>
        <source>View only</source>
        <translation>Nur ansehen</translation>
    </message>
    <message>
        <source>Change nothing on this wall from this window</source>
        <translation>Von diesem Fenster aus nichts an dieser Wand ändern</translation>
    </message>
    <message>
        <source>Pause charts</source>
        <translation>Diagramme anhalten</translation>
    </message>
    <message>
        <source>Stop the charts where they are; nothing is lost</source>
        <translation>Die Diagramme anhalten, wo sie sind; nichts geht verloren</translation>
    </message>
    <message>
        <source>Show cause</source>
        <translation>Ursache zeigen</translation>
    </message>
    <message>
        <source>Explain the worst problem of the wall</source>
        <translation>Das schlimmste Problem der Wand erklären</translation>
    </message>
    <message>
        <source>Acknowledge</source>
        <translation>Quittieren</translation>
    </message>
    <message>
        <source>Acknowledge the alarms</source>
        <translation>Die Alarme quittieren</translation>
    </message>
    <message>
        <source>Alarm rules</source>
        <translation>Alarmregeln</translation>
    </message>
    <message>
        <source>Change when alarms are raised</source>
        <translation>Ändern, wann Alarme ausgelöst werden</translation>
    </message>
    <message>
        <source>Operate</source>
        <translation>Betrieb</translation>
    </message>
    <message>
        <source>Operate the wall</source>
        <translation>Die Wand bedienen</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>Show the network: heat map, charts and tables of the flows</source>
        <translation>Das Netz zeigen: Heatmap, Diagramme und Tabellen der Flows</translation>
    </message>
    <message>
        <source>Show the hosts, where on them the flows run, and the sites</source>
        <translation>Die Hosts zeigen, wo auf ihnen die Flows laufen, und die Standorte</translation>
    </message>
    <message>
        <source>Present</source>
        <translation>Vorführung</translation>
    </message>
    <message>
        <source>Show the wall to an audience: full screen, on the second display where there is one</source>
        <translation>Die Wand einem Publikum zeigen: im Vollbild, auf dem zweiten Display, wo es eines gibt</translation>
    </message>
    <message>
        <source>Reset workspace</source>
        <translation>Arbeitsbereich zurücksetzen</translation>
    </message>
    <message>
        <source>Put the docks of this workspace to their first places</source>
        <translation>Die Docks dieses Arbeitsbereichs an ihre ersten Plätze setzen</translation>
    </message>
    <message>
        <source>Left docks</source>
        <translation>Linke Docks</translation>
    </message>
    <message>
        <source>Show or hide library and playlist</source>
        <translation>Bibliothek und Playlist ein- oder ausblenden</translation>
    </message>
    <message>
        <source>Bottom docks</source>
        <translation>Untere Docks</translation>
    </message>
    <message>
        <source>Show or hide charts and events</source>
        <translation>Diagramme und Ereignisse ein- oder ausblenden</translation>
    </message>
    <message>
        <source>Show or hide: %1</source>
        <translation>Ein- oder ausblenden: %1</translation>
    </message>
    <message>
        <source>Next panel</source>
        <translation>Nächstes Panel</translation>
    </message>
    <message>
        <source>Move the keyboard to the next panel</source>
        <translation>Die Tastatur zum nächsten Panel bewegen</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Choose the language of this program</source>
        <translation>Die Sprache dieses Programms wählen</translation>
    </message>
    <message>
        <source>The language changes when the program starts again</source>
        <translation>Die Sprache wechselt beim nächsten Start des Programms</translation>
    </message>
    <message>
        <source>Same as the system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Language: that of the system</source>
        <translation>Sprache: die des Systems</translation>
    </message>
    <message>
        <source>Language: English</source>
        <translation>Sprache: Englisch</translation>
    </message>
    <message>
        <source>Language: German</source>
        <translation>Sprache: Deutsch</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Show all keyboard shortcuts</source>
        <translation>Alle Tastenkürzel zeigen</translation>
    </message>
    <message>
        <source>Guide</source>
        <translation>Anleitung</translation>
    </message>
    <message>
        <source>Open the guide to a first wall</source>
        <translation>Die Anleitung zur ersten Wand öffnen</translation>
    </message>
    <message>
        <source>The guide is docs/quick-start.md of the sources, or in the package lambdawall-doc</source>
        <translation>Die Anleitung ist docs/quick-start.md der Quellen oder im Paket lambdawall-doc</translation>
    </message>
    <message>
        <source>About</source>
        <translation>Über</translation>
    </message>
    <message>
        <source>Version and licence</source>
        <translation>Version und Lizenz</translation>
    </message>
    <message>
        <source>Lambdawall control %1

Licensed under the Apache License 2.0.</source>
        <translation>Lambdawall Control %1

Lizenziert unter der Apache License 2.0.</translation>
    </message>
    <message>
        <source>Find an action</source>
        <translation>Aktion suchen</translation>
    </message>
    <message>
        <source>Find an action by its words</source>
        <translation>Eine Aktion nach ihren Worten suchen</translation>
    </message>
    <message>
        <source>Saved the session %1</source>
        <translation>Aufzeichnung %1 gespeichert</translation>
    </message>
    <message>
        <source>The demo wall is playing. Its four windows are behind this one.</source>
        <translation>Die Demo-Wand spielt. Ihre vier Fenster sind hinter diesem.</translation>
    </message>
    <message>
        <source>Open on a tablet</source>
        <translation>Auf einem Tablet öffnen</translation>
    </message>
    <message>
        <source>Show a code with which a tablet or phone opens this wall in its browser</source>
        <translation>Einen Code zeigen, mit dem ein Tablet oder Telefon diese Wand in seinem Browser öffnet</translation>
    </message>
    <message>
        <source>Undo the last change of the playlist, the loop&apos;s range, the alarm rules or the docks</source>
        <translation>Letzte Änderung der Playlist, des Schleifenbereichs, der Alarmregeln oder der Docks rückgängig machen</translation>
    </message>
</context>
<context>
    <name>lw::MarkedButton</name>
    <message>
        <source>The marked time limits tables, distribution and events. Click to remove the mark (Escape in a chart)</source>
        <translation>Die markierte Zeit begrenzt Tabellen, Verteilung und Ereignisse. Klicken, um die Markierung zu entfernen (Esc in einem Diagramm)</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>Marked: %1. Remove the mark</source>
        <translation>Markiert: %1. Markierung entfernen</translation>
    </message>
</context>
<context>
    <name>lw::MenuRow</name>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>An&amp;sicht</translation>
    </message>
    <message>
        <source>&amp;Playback</source>
        <translation>&amp;Wiedergabe</translation>
    </message>
    <message>
        <source>&amp;Wall</source>
        <translation>Wa&amp;nd</translation>
    </message>
    <message>
        <source>&amp;Analysis</source>
        <translation>Ana&amp;lyse</translation>
    </message>
    <message>
        <source>Wi&amp;ndow</source>
        <translation>&amp;Fenster</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
</context>
<context>
    <name>lw::NetworkModels</name>
    <message>
        <source>in the marked %1</source>
        <translation>in den markierten %1</translation>
    </message>
    <message>
        <source>in the last %1</source>
        <translation>in den letzten %1</translation>
    </message>
    <message>
        <source>in the %1 shown</source>
        <translation>in den gezeigten %1</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>Nach oben</translation>
    </message>
</context>
<context>
    <name>lw::NetworkPage</name>
    <message>
        <source>Colours of the heat map</source>
        <translation>Farben der Heatmap</translation>
    </message>
    <message>
        <source>Rows of the heat map</source>
        <translation>Zeilen der Heatmap</translation>
    </message>
    <message>
        <source>By flow, grouped by node</source>
        <translation>Nach Flow, je Knoten</translation>
    </message>
    <message>
        <source>By tile, grouped by node</source>
        <translation>Nach Kachel, je Knoten</translation>
    </message>
    <message>
        <source>By node</source>
        <translation>Nach Knoten</translation>
    </message>
    <message>
        <source>By flow, worst first</source>
        <translation>Nach Flow, schlechteste zuerst</translation>
    </message>
    <message>
        <source>The distribution also shows the same length of time before the chosen one</source>
        <translation>Die Verteilung zeigt auch die gleiche Zeitspanne vor der gewählten</translation>
    </message>
    <message>
        <source>Save figures (.csv, .json), this chart (.png, .svg, .pdf) or a report (Ctrl+E)</source>
        <translation>Werte (.csv, .json), dieses Diagramm (.png, .svg, .pdf) oder einen Bericht speichern (Strg+E)</translation>
    </message>
    <message>
        <source>Pause the charts; nothing is lost (P)</source>
        <translation>Diagramme anhalten; nichts geht verloren (P)</translation>
    </message>
    <message>
        <source>Heat map</source>
        <translation>Heatmap</translation>
    </message>
    <message>
        <source>Charts</source>
        <translation>Diagramme</translation>
    </message>
    <message>
        <source>Distribution</source>
        <translation>Verteilung</translation>
    </message>
    <message>
        <source>Hold</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Compare with before</source>
        <translation>Mit vorher vergleichen</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren…</translation>
    </message>
    <message>
        <source>Flow paths</source>
        <translation>Wege der Flows</translation>
    </message>
    <message>
        <source>Bursts</source>
        <translation>Bursts</translation>
    </message>
</context>
<context>
    <name>lw::Overview</name>
    <message>
        <source>Last hour</source>
        <translation>Letzte Stunde</translation>
    </message>
    <message>
        <source>The last hour; drag the window to another time, or one of its ends</source>
        <translation>Die letzte Stunde; das Fenster zu einer anderen Zeit ziehen, oder eines seiner Enden</translation>
    </message>
    <message>
        <source>drag to choose</source>
        <translation>ziehen zum Wählen</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
</context>
<context>
    <name>lw::PartChoice</name>
    <message>
        <source>Part of the wall shown</source>
        <translation>Gezeigter Teil der Wand</translation>
    </message>
    <message>
        <source>The whole wall, a node or a tile (Backspace in a chart: one level up)</source>
        <translation>Die ganze Wand, ein Knoten oder eine Kachel (Rücktaste in einem Diagramm: eine Ebene höher)</translation>
    </message>
</context>
<context>
    <name>lw::PathChain</name>
    <message>
        <source>Not known</source>
        <translation>Nicht bekannt</translation>
    </message>
    <message>
        <source>Path of the flow</source>
        <translation>Weg des Flows</translation>
    </message>
    <message>
        <source>%1: %2. %3</source>
        <translation>%1: %2. %3</translation>
    </message>
    <message>
        <source>Path of flow %1, tile %2</source>
        <translation>Weg von Flow %1, Kachel %2</translation>
    </message>
</context>
<context>
    <name>lw::PathPanel</name>
    <message>
        <source>Nothing measured yet</source>
        <translation>Noch nichts gemessen</translation>
    </message>
    <message>
        <source>The paths of flows are shown once a visualization plays.</source>
        <translation>Die Wege der Flows erscheinen, sobald eine Visualisierung läuft.</translation>
    </message>
    <message>
        <source>Open library</source>
        <translation>Bibliothek öffnen</translation>
    </message>
    <message>
        <source>Flows by loss, with where they are lost</source>
        <translation>Flows nach Verlust, mit dem Ort des Verlusts</translation>
    </message>
    <message>
        <source>The %1 worst of %2. Enter selects a flow, Backspace goes up.</source>
        <translation>Die %1 schlimmsten von %2. Enter wählt einen Flow, Rücktaste geht nach oben.</translation>
    </message>
    <message>
        <source>%1, worst first. Enter selects a flow, Backspace goes up.</source>
        <translation>%1, die schlimmsten zuerst. Enter wählt einen Flow, Rücktaste geht nach oben.</translation>
    </message>
    <message>
        <source>Likely cause: %1. %2</source>
        <translation>Wahrscheinliche Ursache: %1. %2</translation>
    </message>
    <message>
        <source>It lost packets in the chosen time. The tile is well now.</source>
        <translation>Er hat in der gewählten Zeit Pakete verloren. Die Kachel ist jetzt in Ordnung.</translation>
    </message>
    <message>
        <source>Nothing is wrong on this path.</source>
        <translation>Auf diesem Weg ist alles in Ordnung.</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1. %2</translation>
    </message>
    <message>
        <source>Flow %1, tile %2 on %3</source>
        <translation>Flow %1, Kachel %2 auf %3</translation>
    </message>
</context>
<context>
    <name>lw::PathTableModel</name>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>nicht gemessen</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Packets lost per second, mean of the chosen time</source>
        <translation>Verlorene Pakete je Sekunde, Mittel der gewählten Zeit</translation>
    </message>
    <message>
        <source>Share of the lost packets that the node&apos;s kernel dropped at a full socket buffer</source>
        <translation>Anteil der verlorenen Pakete, die der Kernel des Knotens bei vollem Socket-Puffer verwarf</translation>
    </message>
    <message>
        <source>Share of the lost packets that a resend or FEC replaced in time</source>
        <translation>Anteil der verlorenen Pakete, die eine Neusendung oder FEC rechtzeitig ersetzt hat</translation>
    </message>
    <message>
        <source>Flow</source>
        <translation>Flow</translation>
    </message>
    <message>
        <source>Tile</source>
        <translation>Kachel</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Sent by</source>
        <translation>Gesendet von</translation>
    </message>
    <message>
        <source>Leaves by</source>
        <translation>Geht über</translation>
    </message>
    <message>
        <source>Lost/s</source>
        <translation>Verl./s</translation>
    </message>
    <message>
        <source>Dropped</source>
        <translation>Verworfen</translation>
    </message>
    <message>
        <source>Enters by</source>
        <translation>Kommt über</translation>
    </message>
    <message>
        <source>Taken by</source>
        <translation>Empfänger</translation>
    </message>
    <message>
        <source>Repaired</source>
        <translation>Repariert</translation>
    </message>
</context>
<context>
    <name>lw::PlacementPanel</name>
    <message>
        <source>Gbit/s</source>
        <translation>Gbit/s</translation>
    </message>
    <message>
        <source>latest burst, ms</source>
        <translation>spätester Burst, ms</translation>
    </message>
    <message>
        <source>jitter, us</source>
        <translation>Jitter, us</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>verloren</translation>
    </message>
    <message>
        <source>kernel drops</source>
        <translation>Kernel-Drops</translation>
    </message>
    <message>
        <source>CPU, %</source>
        <translation>CPU, %</translation>
    </message>
    <message>
        <source>before</source>
        <translation>vorher</translation>
    </message>
    <message>
        <source>after</source>
        <translation>nachher</translation>
    </message>
    <message>
        <source>Throughput and interarrival jitter: means. Latest burst: the one that left the server farthest behind its time.
Lost packets, and those of them that the node&apos;s kernel dropped: in the time measured.
CPU: time of the moved thread, of a core. What was not measured is a dash.</source>
        <translation>Durchsatz und Interarrival-Jitter: Mittel. Spätester Burst: der, welcher den Server am weitesten nach seiner Zeit verließ.
Verlorene Pakete und davon die vom Kernel des Knotens verworfenen: in der gemessenen Zeit.
CPU: Zeit des verschobenen Threads, von einem Kern. Nicht Gemessenes ist ein Strich.</translation>
    </message>
    <message>
        <source>The line for the wall file</source>
        <translation>Die Zeile für die Wanddatei</translation>
    </message>
    <message>
        <source>What the wall file must say for this placement to be the planned one; it is not changed here</source>
        <translation>Was die Wanddatei sagen muss, damit diese Platzierung die geplante ist; hier wird sie nicht geändert</translation>
    </message>
    <message>
        <source>Try another CPU</source>
        <translation>Eine andere CPU versuchen</translation>
    </message>
    <message>
        <source>Whose thread: the server&apos;s, which sends, or a node&apos;s, which receives</source>
        <translation>Wessen Thread: der des Servers, der sendet, oder der eines Knotens, der empfängt</translation>
    </message>
    <message>
        <source>Which flow</source>
        <translation>Welcher Flow</translation>
    </message>
    <message>
        <source>To which CPU</source>
        <translation>Zu welcher CPU</translation>
    </message>
    <message>
        <source>Move and compare</source>
        <translation>Verschieben und vergleichen</translation>
    </message>
    <message>
        <source>Measure for 5 s, move the thread, and measure as long again</source>
        <translation>5 s messen, den Thread verschieben und noch einmal so lange messen</translation>
    </message>
    <message>
        <source>Keep the move</source>
        <translation>Verschoben lassen</translation>
    </message>
    <message>
        <source>Leave it there until the program ends</source>
        <translation>Dort lassen, bis das Programm endet</translation>
    </message>
    <message>
        <source>Undo the move</source>
        <translation>Zurück verschieben</translation>
    </message>
    <message>
        <source>Move it back to where it was</source>
        <translation>Dorthin zurück, wo er war</translation>
    </message>
    <message>
        <source>Server %1</source>
        <translation>Server %1</translation>
    </message>
    <message>
        <source>Node %1</source>
        <translation>Knoten %1</translation>
    </message>
    <message>
        <source>flow %1, on CPU %2</source>
        <translation>Flow %1, auf CPU %2</translation>
    </message>
    <message>
        <source>to CPU %1</source>
        <translation>zu CPU %1</translation>
    </message>
    <message>
        <source>Choose another CPU for a flow and press Move and compare: its figures before and after are shown. Its frames stay in the memory they are in.</source>
        <translation>Eine andere CPU für einen Flow wählen und „Verschieben und vergleichen“ drücken: Seine Werte vorher und nachher erscheinen. Seine Frames bleiben in dem Speicher, in dem sie sind.</translation>
    </message>
    <message>
        <source>Not moved: %1</source>
        <translation>Nicht verschoben: %1</translation>
    </message>
    <message>
        <source>Flow %1 on CPU %2: measuring, %3 s</source>
        <translation>Flow %1 auf CPU %2: Messung, %3 s</translation>
    </message>
    <message>
        <source>Flow %1 is moved to CPU %2</source>
        <translation>Flow %1 wird zu CPU %2 verschoben</translation>
    </message>
    <message>
        <source>Flow %1 was moved from CPU %2 to CPU %3</source>
        <translation>Flow %1 wurde von CPU %2 zu CPU %3 verschoben</translation>
    </message>
    <message>
        <source>Flow %1 did not come to CPU %2: the log of its program says why</source>
        <translation>Flow %1 kam nicht auf CPU %2: Das Log seines Programms sagt, warum</translation>
    </message>
</context>
<context>
    <name>lw::PlaylistDelegate</name>
    <message>
        <source>fade %1 s</source>
        <translation>Blende %1 s</translation>
    </message>
    <message>
        <source>cut</source>
        <translation>Schnitt</translation>
    </message>
    <message>
        <source>Playing, pass %1 of %2</source>
        <translation>Läuft, Durchlauf %1 von %2</translation>
    </message>
    <message>
        <source>Playing, %1</source>
        <translation>Läuft, %1</translation>
    </message>
    <message>
        <source>Played</source>
        <translation>Gelaufen</translation>
    </message>
    <message>
        <source>%1 · %2 · not live</source>
        <translation>%1 · %2 · nicht live</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>length not known</source>
        <translation>Länge unbekannt</translation>
    </message>
    <message>
        <source>Ended on its last frame</source>
        <translation>Auf dem letzten Frame geendet</translation>
    </message>
    <message>
        <source>Paused, pass %1 of %2</source>
        <translation>Angehalten, Durchlauf %1 von %2</translation>
    </message>
    <message>
        <source>Paused, %1</source>
        <translation>Angehalten, %1</translation>
    </message>
</context>
<context>
    <name>lw::PlaylistModel</name>
    <message>
        <source>Added to the playlist</source>
        <translation>Zur Playlist hinzugefügt</translation>
    </message>
    <message>
        <source>Removed from the playlist</source>
        <translation>Aus der Playlist entfernt</translation>
    </message>
    <message>
        <source>Moved in the playlist</source>
        <translation>In der Playlist verschoben</translation>
    </message>
    <message>
        <source>Changed how long the entry plays</source>
        <translation>Dauer des Eintrags geändert</translation>
    </message>
    <message>
        <source>Changed the transition</source>
        <translation>Übergang geändert</translation>
    </message>
    <message>
        <source>Changed whether the playlist repeats</source>
        <translation>Wiederholung der Playlist geändert</translation>
    </message>
    <message>
        <source>Opened a playlist</source>
        <translation>Playlist geöffnet</translation>
    </message>
    <message>
        <source>Reverted to the live playlist</source>
        <translation>Zur Live-Playlist zurückgekehrt</translation>
    </message>
</context>
<context>
    <name>lw::PlaylistPanel</name>
    <message>
        <source>Playlists (*.json)</source>
        <translation>Playlists (*.json)</translation>
    </message>
    <message>
        <source>Playlist</source>
        <translation>Playlist</translation>
    </message>
    <message>
        <source>Alt+Up and Alt+Down move an entry, Delete removes it, Enter edits it.</source>
        <translation>Alt+Auf und Alt+Ab verschieben einen Eintrag, Entf entfernt ihn, Enter bearbeitet ihn.</translation>
    </message>
    <message>
        <source>The playlist is empty</source>
        <translation>Die Playlist ist leer</translation>
    </message>
    <message>
        <source>Entries play one after the other. Add a visualization, or drag one here from the library.</source>
        <translation>Einträge laufen nacheinander. Eine Visualisierung hinzufügen oder aus der Bibliothek hierher ziehen.</translation>
    </message>
    <message>
        <source>Add what is selected</source>
        <translation>Auswahl hinzufügen</translation>
    </message>
    <message>
        <source>Edited, not live</source>
        <translation>Bearbeitet, nicht live</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <source>Play from start</source>
        <translation>Von vorn spielen</translation>
    </message>
    <message>
        <source>Apply and play from the start</source>
        <translation>Anwenden und von vorn spielen</translation>
    </message>
    <message>
        <source>Revert</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Revert to the live playlist</source>
        <translation>Zur Live-Playlist zurückkehren</translation>
    </message>
    <message>
        <source>Add what is selected in the library</source>
        <translation>Das in der Bibliothek Ausgewählte hinzufügen</translation>
    </message>
    <message>
        <source>Repeat: begin again at the end</source>
        <translation>Wiederholen: am Ende von vorn beginnen</translation>
    </message>
    <message>
        <source>Open a playlist…</source>
        <translation>Eine Playlist öffnen…</translation>
    </message>
    <message>
        <source>Save this playlist…</source>
        <translation>Diese Playlist speichern…</translation>
    </message>
    <message>
        <source>Edit entry</source>
        <translation>Eintrag bearbeiten</translation>
    </message>
    <message>
        <source>Remove from playlist</source>
        <translation>Aus Playlist entfernen</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Move up	Alt+Up</source>
        <translation>Nach oben	Alt+Auf</translation>
    </message>
    <message>
        <source>Move down	Alt+Down</source>
        <translation>Nach unten	Alt+Ab</translation>
    </message>
    <message>
        <source>1 entry</source>
        <translation>1 Eintrag</translation>
    </message>
    <message>
        <source>%1 entries</source>
        <translation>%1 Einträge</translation>
    </message>
    <message>
        <source>%1 a round</source>
        <translation>%1 je Runde</translation>
    </message>
    <message>
        <source>%1 in all</source>
        <translation>%1 gesamt</translation>
    </message>
    <message>
        <source>%1 of unknown length</source>
        <translation>%1 unbekannter Länge</translation>
    </message>
    <message>
        <source>repeats</source>
        <translation>wiederholt</translation>
    </message>
    <message>
        <source>plays once</source>
        <translation>läuft einmal</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>Live</translation>
    </message>
    <message>
        <source>The server&apos;s answer cannot be read: %1</source>
        <translation>Die Antwort des Servers ist nicht lesbar: %1</translation>
    </message>
    <message>
        <source>cannot read %1: %2</source>
        <translation>%1 lässt sich nicht lesen: %2</translation>
    </message>
    <message>
        <source>%1 is too large for a playlist</source>
        <translation>%1 ist zu groß für eine Playlist</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Save the playlist</source>
        <translation>Die Playlist speichern</translation>
    </message>
    <message>
        <source>Open a playlist</source>
        <translation>Eine Playlist öffnen</translation>
    </message>
    <message>
        <source>Play these entries after what is on the wall</source>
        <translation>Diese Einträge nach dem spielen, was auf der Wand ist</translation>
    </message>
</context>
<context>
    <name>lw::PositionText</name>
    <message>
        <source>Position</source>
        <translation>Position</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
</context>
<context>
    <name>lw::ProblemCard</name>
    <message>
        <source>Open in Hosts</source>
        <translation>In Hosts öffnen</translation>
    </message>
    <message>
        <source>Select the tile</source>
        <translation>Kachel auswählen</translation>
    </message>
    <message>
        <source>Select its %1 tiles</source>
        <translation>Ihre %1 Kacheln auswählen</translation>
    </message>
</context>
<context>
    <name>lw::ProblemStrip</name>
    <message>
        <source>Problem tiles</source>
        <translation>Problemkacheln</translation>
    </message>
    <message>
        <source>Previous problem</source>
        <translation>Voriges Problem</translation>
    </message>
    <message>
        <source>Next problem</source>
        <translation>Nächstes Problem</translation>
    </message>
    <message>
        <source>Problems on %1, worst first</source>
        <translation>Probleme auf %1, schlimmste zuerst</translation>
    </message>
    <message>
        <source>%1, worst first</source>
        <translation>%1, schlimmste zuerst</translation>
    </message>
    <message>
        <source>F8 and Shift+F8 go from one to the next</source>
        <translation>F8 und Umschalt+F8 gehen von einem zum nächsten</translation>
    </message>
</context>
<context>
    <name>lw::ProblemsPanel</name>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>No problems. Alarms and faults of tiles are listed here.</source>
        <translation>Keine Probleme. Alarme und Fehler von Kacheln stehen hier.</translation>
    </message>
    <message>
        <source>No connection, so problems are not known.</source>
        <translation>Keine Verbindung, daher sind Probleme nicht bekannt.</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>%1 weitere</translation>
    </message>
</context>
<context>
    <name>lw::QuantityChoice</name>
    <message>
        <source>Quantity shown</source>
        <translation>Gezeigte Größe</translation>
    </message>
</context>
<context>
    <name>lw::Recorder</name>
    <message>
        <source>%1 has a session already; choose another folder</source>
        <translation>%1 enthält schon eine Aufzeichnung; einen anderen Ordner wählen</translation>
    </message>
    <message>
        <source>cannot write %1: %2; choose a folder that can be written</source>
        <translation>%1 lässt sich nicht schreiben: %2; einen beschreibbaren Ordner wählen</translation>
    </message>
    <message>
        <source>the disk does not keep up</source>
        <translation>der Datenträger kommt nicht nach</translation>
    </message>
    <message>
        <source>recording to %1 stopped: %2; what was recorded until then can be opened</source>
        <translation>Aufzeichnung nach %1 beendet: %2; was bis dahin aufgezeichnet ist, lässt sich öffnen</translation>
    </message>
</context>
<context>
    <name>lw::RoleLabel</name>
    <message>
        <source>What the server lets this program do</source>
        <translation>Was der Server dieses Programm tun lässt</translation>
    </message>
</context>
<context>
    <name>lw::ServerImport</name>
    <message>
        <source>No server is connected</source>
        <translation>Kein Server ist verbunden</translation>
    </message>
    <message>
        <source>This server imports nothing by itself; start wall-server with --import-from DIR</source>
        <translation>Dieser Server importiert nicht selbst; wall-server mit --import-from DIR starten</translation>
    </message>
    <message>
        <source>Enter a file or folder on the server&apos;s host, below %1</source>
        <translation>Eine Datei oder einen Ordner auf dem Host des Servers angeben, unter %1</translation>
    </message>
    <message>
        <source>The server imports from %1 on its host: copy it there first</source>
        <translation>Der Server importiert aus %1 auf seinem Host: zuerst dorthin kopieren</translation>
    </message>
</context>
<context>
    <name>lw::ServerProbe</name>
    <message>
        <source>The connection to the server was lost</source>
        <translation>Die Verbindung zum Server ist abgebrochen</translation>
    </message>
</context>
<context>
    <name>lw::SessionBar</name>
    <message>
        <source>Session</source>
        <translation>Aufzeichnung</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>Aufnehmen</translation>
    </message>
    <message>
        <source>Record all telemetry and events into a folder (Ctrl+Shift+R)</source>
        <translation>Alle Telemetrie und Ereignisse in einen Ordner aufzeichnen (Strg+Umschalt+R)</translation>
    </message>
    <message>
        <source>Open a recorded session (Ctrl+O)</source>
        <translation>Eine Aufzeichnung öffnen (Strg+O)</translation>
    </message>
    <message>
        <source>Play session</source>
        <translation>Abspielen</translation>
    </message>
    <message>
        <source>Play the session, or hold it</source>
        <translation>Die Aufzeichnung abspielen oder anhalten</translation>
    </message>
    <message>
        <source>Position in the session</source>
        <translation>Position in der Aufzeichnung</translation>
    </message>
    <message>
        <source>Speed of the session</source>
        <translation>Tempo der Aufzeichnung</translation>
    </message>
    <message>
        <source>%1 times</source>
        <translation>%1-fach</translation>
    </message>
    <message>
        <source>Close session</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Back to the server</source>
        <translation>Zurück zum Server</translation>
    </message>
    <message>
        <source>Copy as command line</source>
        <translation>Als Befehlszeile kopieren</translation>
    </message>
    <message>
        <source>Record a session into a new folder</source>
        <translation>In einen neuen Ordner aufzeichnen</translation>
    </message>
    <message>
        <source>Open a session&apos;s folder</source>
        <translation>Den Ordner einer Aufzeichnung öffnen</translation>
    </message>
    <message>
        <source>Stop recording</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Hold session</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>%1 of %2%3</source>
        <translation>%1 von %2%3</translation>
    </message>
    <message>
        <source>, its last line is cut</source>
        <translation>, die letzte Zeile ist abgeschnitten</translation>
    </message>
    <message>
        <source>recording to %1</source>
        <translation>Aufnahme nach %1</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Öffnen…</translation>
    </message>
</context>
<context>
    <name>lw::SiteModel</name>
    <message>
        <source>–</source>
        <translation>–</translation>
    </message>
    <message>
        <source>Multicast, from %1</source>
        <translation>Multicast, von %1</translation>
    </message>
    <message>
        <source>Relay %1</source>
        <translation>Relay %1</translation>
    </message>
    <message>
        <source>Relay %1, then multicast from %2</source>
        <translation>Relay %1, dann Multicast von %2</translation>
    </message>
    <message>
        <source>Nothing is playing</source>
        <translation>Nichts läuft</translation>
    </message>
    <message>
        <source>Silent</source>
        <translation>Still</translation>
    </message>
    <message>
        <source>Partly heard</source>
        <translation>Teils gehört</translation>
    </message>
    <message>
        <source>Heard</source>
        <translation>Gehört</translation>
    </message>
    <message>
        <source>Not measured</source>
        <translation>Nicht gemessen</translation>
    </message>
    <message>
        <source>    %1</source>
        <translation>    %1</translation>
    </message>
    <message>
        <source>Relay</source>
        <translation>Relay</translation>
    </message>
    <message>
        <source>Multicast</source>
        <translation>Multicast</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Node %1 of site %2</source>
        <translation>Knoten %1 des Standorts %2</translation>
    </message>
    <message>
        <source>Packets that a relay resends are not included.</source>
        <translation>Pakete, die ein Relay erneut sendet, zählen nicht mit.</translation>
    </message>
    <message>
        <source>Site and nodes</source>
        <translation>Standort und Knoten</translation>
    </message>
    <message>
        <source>The sites of the wall file, each with its nodes</source>
        <translation>Die Standorte der Wanddatei, jeder mit seinen Knoten</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Heard: each flow was reported about within the last five seconds.
Silent: none was.</source>
        <translation>Gehört: Über jeden Flow wurde in den letzten fünf Sekunden berichtet.
Still: über keinen.</translation>
    </message>
    <message>
        <source>Sent by</source>
        <translation>Gesendet von</translation>
    </message>
    <message>
        <source>How the server sends to the site: to groups of source-specific multicast, or to a relay</source>
        <translation>Wie der Server zum Standort sendet: an Gruppen quellspezifischen Multicasts oder an ein Relay</translation>
    </message>
    <message>
        <source>Flows
heard</source>
        <translation>Flows
gehört</translation>
    </message>
    <message>
        <source>Of the flows that this server sends, those about which the node reported within the last five seconds (flows_heard)</source>
        <translation>Von den Flows, die dieser Server sendet, die, über welche der Knoten in den letzten fünf Sekunden berichtet hat (flows_heard)</translation>
    </message>
    <message>
        <source>Delay
ms</source>
        <translation>Delay
ms</translation>
    </message>
    <message>
        <source>Playout delay: from a frame&apos;s media time to its presentation at this site</source>
        <translation>Playout-Delay: von der Medienzeit eines Frames bis zu seiner Präsentation an diesem Standort</translation>
    </message>
    <message>
        <source>Round trip
ms</source>
        <translation>Umlaufzeit
ms</translation>
    </message>
    <message>
        <source>Longest round trip to one of the nodes, including a relay (rtt_us, RFC 3550)</source>
        <translation>Längste Umlaufzeit zu einem der Knoten, Relay eingeschlossen (rtt_us, RFC 3550)</translation>
    </message>
    <message>
        <source>Lost
packets/s</source>
        <translation>Verloren
Pakete/s</translation>
    </message>
    <message>
        <source>Packets that the nodes miss, by their reports, recovered or not (lost, RFC 3550)</source>
        <translation>Pakete, die den Knoten nach ihren Berichten fehlen, repariert oder nicht (lost, RFC 3550)</translation>
    </message>
    <message>
        <source>Resent
packets/s</source>
        <translation>Neu gesendet
Pakete/s</translation>
    </message>
    <message>
        <source>Packets that the server resent (resent, RFC 4588).
%1</source>
        <translation>Pakete, die der Server erneut gesendet hat (resent, RFC 4588).
%1</translation>
    </message>
    <message>
        <source>Refused
packets/s</source>
        <translation>Abgelehnt
Pakete/s</translation>
    </message>
    <message>
        <source>Requested packets that the server did not resend: beyond the budget, or no longer kept (resends_refused)</source>
        <translation>Verlangte Pakete, die der Server nicht erneut gesendet hat: über dem Budget oder nicht mehr vorhanden (resends_refused)</translation>
    </message>
    <message>
        <source>Budget
used, %</source>
        <translation>Budget
genutzt, %</translation>
    </message>
    <message>
        <source>Resends of the last five seconds as a share of the rate that resend_percent allows.
%1</source>
        <translation>Neusendungen der letzten fünf Sekunden als Anteil der Rate, die resend_percent erlaubt.
%1</translation>
    </message>
</context>
<context>
    <name>lw::SitesPage</name>
    <message>
        <source>Sites</source>
        <translation>Standorte</translation>
    </message>
    <message>
        <source>Sites and their nodes</source>
        <translation>Standorte und ihre Knoten</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>The wall file has no other sites</source>
        <translation>Die Wanddatei hat keine anderen Standorte</translation>
    </message>
    <message>
        <source>Sites: %1 silent</source>
        <translation>Standorte: %1 still</translation>
    </message>
    <message>
        <source>Sites: %1 partly heard</source>
        <translation>Standorte: %1 teils gehört</translation>
    </message>
</context>
<context>
    <name>lw::SpanButtons</name>
    <message>
        <source>Show %1</source>
        <translation>%1 zeigen</translation>
    </message>
    <message>
        <source>Zoomed to %1</source>
        <translation>%1 im Zoom</translation>
    </message>
</context>
<context>
    <name>lw::SpanChoice</name>
    <message>
        <source>Time shown</source>
        <translation>Gezeigte Zeit</translation>
    </message>
</context>
<context>
    <name>lw::StartPage</name>
    <message>
        <source>Start page</source>
        <translation>Startseite</translation>
    </message>
    <message>
        <source>No wall is connected yet</source>
        <translation>Noch ist keine Wand verbunden</translation>
    </message>
    <message>
        <source>Connect to one, try the demo on this computer, or drop in a video.</source>
        <translation>Mit einer verbinden, die Demo auf diesem Rechner ausprobieren oder ein Video ablegen.</translation>
    </message>
    <message>
        <source>End the demo wall?</source>
        <translation>Die Demo-Wand beenden?</translation>
    </message>
    <message>
        <source>Its server and its windows end with this window.</source>
        <translation>Ihr Server und ihre Fenster enden mit diesem Fenster.</translation>
    </message>
    <message>
        <source>End and close</source>
        <translation>Beenden und schließen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Connect to a wall</source>
        <translation>Mit einer Wand verbinden</translation>
    </message>
    <message>
        <source>No wall is known yet. A wall is listed here once you were connected to it, or if it announces itself on this network.</source>
        <translation>Noch ist keine Wand bekannt. Hier steht eine Wand nach der ersten Verbindung oder wenn sie sich in diesem Netz ankündigt.</translation>
    </message>
    <message>
        <source>Known walls</source>
        <translation>Bekannte Wände</translation>
    </message>
    <message>
        <source>Not listed? Enter the address of its server.</source>
        <translation>Nicht dabei? Die Adresse ihres Servers eingeben.</translation>
    </message>
    <message>
        <source>Address of a server, HOST:PORT</source>
        <translation>Adresse eines Servers, HOST:PORT</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>Verbinden</translation>
    </message>
    <message>
        <source>Over the network the connection is encrypted. You are asked once to check the server&apos;s fingerprint.</source>
        <translation>Über das Netz ist die Verbindung verschlüsselt. Einmal ist der Fingerabdruck des Servers zu prüfen.</translation>
    </message>
    <message>
        <source>Drop a video to import it</source>
        <translation>Zum Importieren ein Video ablegen</translation>
    </message>
    <message>
        <source>MP4, MOV, MKV, or a folder of PNG, TIFF or EXR images. It is cut to the tiles of the wall you choose next.</source>
        <translation>MP4, MOV, MKV oder ein Ordner mit PNG-, TIFF- oder EXR-Bildern. Es wird auf die Kacheln der danach gewählten Wand zugeschnitten.</translation>
    </message>
    <message>
        <source>Choose files…</source>
        <translation>Dateien wählen…</translation>
    </message>
    <message>
        <source>Set up a wall of your own</source>
        <translation>Eine eigene Wand einrichten</translation>
    </message>
    <message>
        <source>Open a recorded session…</source>
        <translation>Eine Aufzeichnung öffnen…</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Show this page when no wall is connected</source>
        <translation>Diese Seite zeigen, wenn keine Wand verbunden ist</translation>
    </message>
    <message>
        <source>Looking on this network</source>
        <translation>Suche in diesem Netz</translation>
    </message>
    <message>
        <source>Choose videos to import</source>
        <translation>Zu importierende Videos wählen</translation>
    </message>
</context>
<context>
    <name>lw::StartRow</name>
    <message>
        <source>Asking…</source>
        <translation>Wird gefragt…</translation>
    </message>
    <message>
        <source>Server and control program have to be of the same version. Install the newer one on both.</source>
        <translation>Server und Bedienprogramm müssen dieselbe Version haben. Auf beiden die neuere installieren.</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>Asks for a token</source>
        <translation>Verlangt ein Token</translation>
    </message>
    <message>
        <source>New server</source>
        <translation>Neuer Server</translation>
    </message>
    <message>
        <source>Certificate has changed</source>
        <translation>Zertifikat geändert</translation>
    </message>
    <message>
        <source>Server %1 is too old</source>
        <translation>Server %1 ist zu alt</translation>
    </message>
    <message>
        <source>Server %1 is too new</source>
        <translation>Server %1 ist zu neu</translation>
    </message>
    <message>
        <source>Refused</source>
        <translation>Abgelehnt</translation>
    </message>
    <message>
        <source>No answer</source>
        <translation>Keine Antwort</translation>
    </message>
    <message>
        <source>Details…</source>
        <translation>Details…</translation>
    </message>
    <message>
        <source>Connect…</source>
        <translation>Verbinden…</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>Verbinden</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>lw::StartWalls</name>
    <message>
        <source>1 megapixel</source>
        <translation>1 Megapixel</translation>
    </message>
    <message>
        <source>%1 megapixels</source>
        <translation>%1 Megapixel</translation>
    </message>
</context>
<context>
    <name>lw::TabletDialog</name>
    <message>
        <source>Open this wall on a tablet</source>
        <translation>Diese Wand auf einem Tablet öffnen</translation>
    </message>
    <message>
        <source>New code</source>
        <translation>Neuer Code</translation>
    </message>
    <message>
        <source>Copy address</source>
        <translation>Adresse kopieren</translation>
    </message>
    <message>
        <source>View only</source>
        <translation>Nur ansehen</translation>
    </message>
    <message>
        <source>Scan the QR code with the camera of a tablet or phone on this network, or open the address in its browser and enter the code.</source>
        <translation>Den QR-Code mit der Kamera eines Tablets oder Telefons in diesem Netz scannen, oder die Adresse in seinem Browser öffnen und den Code eingeben.</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>QR code of the address with the code</source>
        <translation>QR-Code der Adresse mit dem Code</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>Time left</source>
        <translation>Restzeit</translation>
    </message>
    <message>
        <source>Make another code (%1). The code before stays valid until its time is over.</source>
        <translation>Einen weiteren Code erzeugen (%1). Der vorige gilt, bis seine Zeit um ist.</translation>
    </message>
    <message>
        <source>The tablet shows the wall and changes nothing</source>
        <translation>Das Tablet zeigt die Wand und ändert nichts</translation>
    </message>
    <message>
        <source>Address of the page</source>
        <translation>Adresse der Seite</translation>
    </message>
    <message>
        <source>Then choose New code.</source>
        <translation>Dann „Neuer Code“ wählen.</translation>
    </message>
    <message>
        <source>The controls of this window are locked. Unlock them with the action Lock.</source>
        <translation>Die Steuerung dieses Fensters ist gesperrt. Mit der Aktion „Sperren“ entsperren.</translation>
    </message>
    <message>
        <source>This wall is open for viewing only. Switch off View only in the menu Wall.</source>
        <translation>Diese Wand ist nur zum Ansehen geöffnet. Im Menü Wand „Nur ansehen“ ausschalten.</translation>
    </message>
    <message>
        <source>Your token may not let tablets in: this needs the role operate. An administrator makes such a token on the server&apos;s host:
wall-server --add-token NAME --role operate</source>
        <translation>Dieses Token darf keine Tablets zulassen: Das braucht die Rolle operate. Ein Administrator erzeugt ein solches Token auf dem Host des Servers:
wall-server --add-token NAME --role operate</translation>
    </message>
    <message>
        <source>Server %1 has no page for tablets. Install a newer one.</source>
        <translation>Server %1 hat keine Seite für Tablets. Einen neueren installieren.</translation>
    </message>
    <message>
        <source>No connection to the server. It makes a code when it is back.</source>
        <translation>Keine Verbindung zum Server. Er erzeugt einen Code, sobald er zurück ist.</translation>
    </message>
    <message>
        <source>The server made no code: %1</source>
        <translation>Der Server erzeugte keinen Code: %1</translation>
    </message>
    <message>
        <source>The server&apos;s answer cannot be read: %1</source>
        <translation>Die Antwort des Servers ist nicht lesbar: %1</translation>
    </message>
    <message>
        <source>This server accepts only programs on its own host, where a browser can open the address. For tablets, set control to an address on their network in [[server]] of the wall file, and restart the server.</source>
        <translation>Dieser Server nimmt nur Programme auf seinem eigenen Host an, wo ein Browser die Adresse öffnen kann. Für Tablets in [[server]] der Wanddatei control auf eine Adresse in ihrem Netz setzen und den Server neu starten.</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keines</translation>
    </message>
    <message>
        <source>Valid for %1, once</source>
        <translation>Gültig für %1, einmal</translation>
    </message>
    <message>
        <source>The code has expired. Choose New code for the next one.</source>
        <translation>Der Code ist abgelaufen. „Neuer Code“ erzeugt den nächsten.</translation>
    </message>
    <message>
        <source>If the browser warns about the certificate, continue only if its SHA-256 fingerprint is this one:</source>
        <translation>Warnt der Browser vor dem Zertifikat, nur fortfahren, wenn sein SHA-256-Fingerabdruck dieser ist:</translation>
    </message>
    <message>
        <source>Fingerprint of the server&apos;s certificate</source>
        <translation>Fingerabdruck des Zertifikats des Servers</translation>
    </message>
</context>
<context>
    <name>lw::TimePlot</name>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>Nothing measured yet</source>
        <translation>Noch nichts gemessen</translation>
    </message>
    <message>
        <source>Charts begin when a visualization plays.</source>
        <translation>Diagramme beginnen, wenn eine Visualisierung läuft.</translation>
    </message>
</context>
<context>
    <name>lw::TimelineBar</name>
    <message>
        <source>repaired</source>
        <translation>repariert</translation>
    </message>
    <message>
        <source>late</source>
        <translation>verspätet</translation>
    </message>
    <message>
        <source>concealed</source>
        <translation>verdeckt</translation>
    </message>
    <message>
        <source>not shown</source>
        <translation>nicht gezeigt</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitleiste</translation>
    </message>
    <message>
        <source>Nothing is loaded</source>
        <translation>Nichts ist geladen</translation>
    </message>
    <message>
        <source>frame %1 of %2</source>
        <translation>Frame %1 von %2</translation>
    </message>
    <message>
        <source>tiles show frame %1</source>
        <translation>Kacheln zeigen Frame %1</translation>
    </message>
    <message>
        <source>tiles show frames %1 to %2</source>
        <translation>Kacheln zeigen Frames %1 bis %2</translation>
    </message>
    <message>
        <source>in %1, out %2</source>
        <translation>Anfang %1, Ende %2</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>frame %1, %2</source>
        <translation>Frame %1, %2</translation>
    </message>
    <message>
        <source>on tiles %1</source>
        <translation>auf den Kacheln %1</translation>
    </message>
</context>
<context>
    <name>lw::TokenQuestion</name>
    <message>
        <source>Which token opens this wall?</source>
        <translation>Welches Token öffnet diese Wand?</translation>
    </message>
    <message>
        <source>Save it with this connection</source>
        <translation>Mit dieser Verbindung speichern</translation>
    </message>
    <message>
        <source>%1: %2. This command prints a token on that host:
wall-server --add-token NAME --role ROLE</source>
        <translation>%1: %2. Dieser Befehl gibt auf jenem Host ein Token aus:
wall-server --add-token NAME --role ROLE</translation>
    </message>
    <message>
        <source>Token for this server</source>
        <translation>Token für diesen Server</translation>
    </message>
    <message>
        <source>In this program&apos;s settings, which only you can read</source>
        <translation>In den Einstellungen dieses Programms, die sonst niemand lesen kann</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>Verbinden</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>lw::TransitionChoice</name>
    <message>
        <source>Transition</source>
        <translation>Übergang</translation>
    </message>
    <message>
        <source>How it follows what is on the wall: by a cut, or through black, half the time darker and half brighter</source>
        <translation>Wie es auf das folgt, was auf der Wand ist: mit einem Schnitt oder über Schwarz, die halbe Zeit dunkler und die halbe heller</translation>
    </message>
    <message>
        <source>Cut</source>
        <translation>Schnitt</translation>
    </message>
    <message>
        <source>Fade, %1 s</source>
        <translation>Blende, %1 s</translation>
    </message>
</context>
<context>
    <name>lw::TransportPanel</name>
    <message>
        <source>Frames of tiles since this visualization was loaded, marked where they were.
Repaired: lost packets were sent again or rebuilt. Late: shown after its time.
Concealed: rows missing, the frame before shows. Not shown: nothing came, or it was skipped.</source>
        <translation>Frames der Kacheln, seit diese Visualisierung geladen ist, markiert, wo sie waren.
Repariert: Verlorene Pakete wurden erneut gesendet oder rekonstruiert. Verspätet: nach seiner Zeit gezeigt.
Verdeckt: Zeilen fehlen, der vorige Frame scheint durch. Nicht gezeigt: nichts kam, oder er wurde übersprungen.</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Abspielen</translation>
    </message>
    <message>
        <source>Play or pause</source>
        <translation>Abspielen oder anhalten</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>Stop sending</source>
        <translation>Das Senden beenden</translation>
    </message>
    <message>
        <source>Play backwards</source>
        <translation>Rückwärts</translation>
    </message>
    <message>
        <source>Play backwards; again: faster</source>
        <translation>Rückwärts abspielen; noch einmal: schneller</translation>
    </message>
    <message>
        <source>Play forwards</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>Play forwards; again: faster</source>
        <translation>Vorwärts abspielen; noch einmal: schneller</translation>
    </message>
    <message>
        <source>Loop</source>
        <translation>Schleife</translation>
    </message>
    <message>
        <source>Begin again at the end</source>
        <translation>Am Ende von vorn beginnen</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Nächster</translation>
    </message>
    <message>
        <source>Go to the next entry of the playlist</source>
        <translation>Zum nächsten Eintrag der Playlist</translation>
    </message>
    <message>
        <source>First frame</source>
        <translation>Erster Frame</translation>
    </message>
    <message>
        <source>To the first frame, or the loop&apos;s in</source>
        <translation>Zum ersten Frame oder zum Anfang der Schleife</translation>
    </message>
    <message>
        <source>Frame back</source>
        <translation>Frame zurück</translation>
    </message>
    <message>
        <source>One frame back, paused</source>
        <translation>Einen Frame zurück, angehalten</translation>
    </message>
    <message>
        <source>Frame forward</source>
        <translation>Frame vor</translation>
    </message>
    <message>
        <source>One frame forward, paused</source>
        <translation>Einen Frame vor, angehalten</translation>
    </message>
    <message>
        <source>Last frame</source>
        <translation>Letzter Frame</translation>
    </message>
    <message>
        <source>To the last frame, or the loop&apos;s out</source>
        <translation>Zum letzten Frame oder zum Ende der Schleife</translation>
    </message>
    <message>
        <source>Set in point</source>
        <translation>Anfang setzen</translation>
    </message>
    <message>
        <source>Let the loop begin at this frame</source>
        <translation>Die Schleife bei diesem Frame beginnen lassen</translation>
    </message>
    <message>
        <source>Set out point</source>
        <translation>Ende setzen</translation>
    </message>
    <message>
        <source>Let the loop end at this frame</source>
        <translation>Die Schleife bei diesem Frame enden lassen</translation>
    </message>
    <message>
        <source>Clear loop</source>
        <translation>Schleife löschen</translation>
    </message>
    <message>
        <source>Play all frames again: clear in and out</source>
        <translation>Wieder alle Frames spielen: Anfang und Ende löschen</translation>
    </message>
    <message>
        <source>the wall to pause</source>
        <translation>das Anhalten der Wand</translation>
    </message>
    <message>
        <source>the wall to play</source>
        <translation>das Abspielen der Wand</translation>
    </message>
    <message>
        <source>the server to stop sending</source>
        <translation>das Ende des Sendens</translation>
    </message>
    <message>
        <source>the server to change the loop</source>
        <translation>die Änderung der Schleife</translation>
    </message>
    <message>
        <source>the next entry of the playlist</source>
        <translation>den nächsten Eintrag der Playlist</translation>
    </message>
    <message>
        <source>Waiting for %1</source>
        <translation>Warten auf %1</translation>
    </message>
    <message>
        <source>Loop range</source>
        <translation>Bereich der Schleife</translation>
    </message>
    <message>
        <source>In and out points of the loop ([ ] \)</source>
        <translation>Anfang und Ende der Schleife ([ ] \)</translation>
    </message>
    <message>
        <source>Rate</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>Frames of the visualization per frame of the wall; negative plays backwards (J, L)</source>
        <translation>Frames der Visualisierung je Frame der Wand; negativ spielt rückwärts (J, L)</translation>
    </message>
    <message>
        <source>How fast it plays (J, L)</source>
        <translation>Wie schnell es läuft (J, L)</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>Nicht verbunden</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>%1 · fade %2 s</source>
        <translation>%1 · Blende %2 s</translation>
    </message>
    <message>
        <source>Fading to %1</source>
        <translation>Blende zu %1</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Gestoppt</translation>
    </message>
    <message>
        <source>Next: %1</source>
        <translation>Nächster: %1</translation>
    </message>
    <message>
        <source>Nothing follows: the playlist is empty</source>
        <translation>Nichts folgt: Die Playlist ist leer</translation>
    </message>
    <message>
        <source>Next: %1 (N)</source>
        <translation>Nächster: %1 (N)</translation>
    </message>
    <message>
        <source>frame %1 of %2</source>
        <translation>Frame %1 von %2</translation>
    </message>
    <message>
        <source>Tiles are %1 frames apart</source>
        <translation>Kacheln sind %1 Frames auseinander</translation>
    </message>
    <message>
        <source>Changed the loop&apos;s range</source>
        <translation>Bereich der Schleife geändert</translation>
    </message>
    <message>
        <source>Set the in point</source>
        <translation>Anfang gesetzt</translation>
    </message>
    <message>
        <source>Set the out point</source>
        <translation>Ende gesetzt</translation>
    </message>
    <message>
        <source>Cleared the loop&apos;s range</source>
        <translation>Bereich der Schleife gelöscht</translation>
    </message>
</context>
<context>
    <name>lw::VolumeButton</name>
    <message>
        <source>Volume</source>
        <translation>Lautstärke</translation>
    </message>
    <message>
        <source>Mute</source>
        <translation>Stumm</translation>
    </message>
    <message>
        <source>Mute the sound of the wall</source>
        <translation>Den Ton der Wand stumm schalten</translation>
    </message>
    <message>
        <source>%1 dB</source>
        <translation>%1 dB</translation>
    </message>
    <message>
        <source>%1, muted</source>
        <translation>%1, stumm</translation>
    </message>
    <message>
        <source>Volume of the wall: %1 (Shift+M mutes)</source>
        <translation>Lautstärke der Wand: %1 (Umschalt+M schaltet stumm)</translation>
    </message>
    <message>
        <source>Muted</source>
        <translation>Stumm</translation>
    </message>
    <message>
        <source>Unmute</source>
        <translation>Ton an</translation>
    </message>
</context>
<context>
    <name>lw::WallInquiry</name>
    <message>
        <source>&apos;%1&apos; is not an address</source>
        <translation>„%1“ ist keine Adresse</translation>
    </message>
    <message>
        <source>it is not a wall-server</source>
        <translation>es ist kein wall-server</translation>
    </message>
</context>
<context>
    <name>lw::WallPage</name>
    <message>
        <source>there is no preview to save</source>
        <translation>es gibt keine Vorschau zu speichern</translation>
    </message>
    <message>
        <source>Save frame as image</source>
        <translation>Frame als Bild speichern</translation>
    </message>
    <message>
        <source>Save the previews of the entire wall as an image</source>
        <translation>Die Vorschauen der ganzen Wand als Bild speichern</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>Verkleinern</translation>
    </message>
    <message>
        <source>Zoom out of the wall</source>
        <translation>Aus der Wand herauszoomen</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>Einpassen</translation>
    </message>
    <message>
        <source>Show the entire wall</source>
        <translation>Die ganze Wand zeigen</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>Vergrößern</translation>
    </message>
    <message>
        <source>Zoom into the wall; Ctrl and the wheel zoom where the pointer is</source>
        <translation>In die Wand hineinzoomen; Strg und das Rad zoomen beim Zeiger</translation>
    </message>
    <message>
        <source>Blank</source>
        <translation>Schwarz</translation>
    </message>
    <message>
        <source>Black on the entire wall instead of the stream</source>
        <translation>Schwarz auf der ganzen Wand statt des Streams</translation>
    </message>
    <message>
        <source>Next problem</source>
        <translation>Nächstes Problem</translation>
    </message>
    <message>
        <source>Select the next tile with a problem, worst first</source>
        <translation>Die nächste Kachel mit einem Problem auswählen, schlimmste zuerst</translation>
    </message>
    <message>
        <source>Previous problem</source>
        <translation>Voriges Problem</translation>
    </message>
    <message>
        <source>Select the previous tile with a problem</source>
        <translation>Die vorige Kachel mit einem Problem auswählen</translation>
    </message>
    <message>
        <source>Save as image</source>
        <translation>Als Bild speichern</translation>
    </message>
    <message>
        <source>Image (*.png)</source>
        <translation>Bild (*.png)</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>%1 gespeichert</translation>
    </message>
    <message>
        <source>Copied: %1</source>
        <translation>Kopiert: %1</translation>
    </message>
    <message>
        <source>Wall as table</source>
        <translation>Wand als Tabelle</translation>
    </message>
    <message>
        <source>Show the tiles as a table instead of the canvas</source>
        <translation>Die Kacheln als Tabelle statt als Bild der Wand zeigen</translation>
    </message>
</context>
<context>
    <name>lw::WallSummary</name>
    <message>
        <source>In step</source>
        <translation>Synchron</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>Picture faults</source>
        <translation>Bildfehler</translation>
    </message>
    <message>
        <source>Degraded, picture intact</source>
        <translation>Beeinträchtigt, Bild intakt</translation>
    </message>
    <message>
        <source>No picture</source>
        <translation>Kein Bild</translation>
    </message>
    <message>
        <source>Wall by state</source>
        <translation>Wand nach Zustand</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>nicht gemessen</translation>
    </message>
    <message>
        <source>limit %1</source>
        <translation>Grenze %1</translation>
    </message>
    <message>
        <source>Skew over the wall</source>
        <translation>Versatz über die Wand</translation>
    </message>
    <message>
        <source>newest frame</source>
        <translation>neuester Frame</translation>
    </message>
</context>
<context>
    <name>lw::WallTable</name>
    <message>
        <source>Tiles of the wall</source>
        <translation>Kacheln der Wand</translation>
    </message>
    <message>
        <source>Enter shows the cause, Ctrl+C copies rows</source>
        <translation>Enter zeigt die Ursache, Strg+C kopiert Zeilen</translation>
    </message>
    <message>
        <source>Copy as CSV</source>
        <translation>Als CSV kopieren</translation>
    </message>
    <message>
        <source>Tile menu</source>
        <translation>Menü der Kachel</translation>
    </message>
    <message>
        <source>%1 of %2 healthy</source>
        <translation>%1 von %2 in Ordnung</translation>
    </message>
</context>
<context>
    <name>lw::WallTableModel</name>
    <message>
        <source>Since the node&apos;s wall-client started.</source>
        <translation>Seit der wall-client des Knotens gestartet ist.</translation>
    </message>
    <message>
        <source>Tile</source>
        <translation>Kachel</translation>
    </message>
    <message>
        <source>Column and row, from the top left</source>
        <translation>Spalte und Zeile, von oben links</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>The render node that shows the tile</source>
        <translation>Der Render-Knoten, der die Kachel zeigt</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>By what the audience saw in the last 10 s, and the figure that explains it</source>
        <translation>Nach dem, was das Publikum in den letzten 10 s sah, mit dem Wert, der es erklärt</translation>
    </message>
    <message>
        <source>Frame</source>
        <translation>Frame</translation>
    </message>
    <message>
        <source>Number of the visualization&apos;s frame that the tile shows</source>
        <translation>Nummer des Frames der Visualisierung, den die Kachel zeigt</translation>
    </message>
    <message>
        <source>Shown</source>
        <translation>Gezeigt</translation>
    </message>
    <message>
        <source>Frames shown with every byte.</source>
        <translation>Mit jedem Byte gezeigte Frames.</translation>
    </message>
    <message>
        <source>Concealed</source>
        <translation>Verdeckt</translation>
    </message>
    <message>
        <source>Frames shown with rows of the frame before where packets are missing.</source>
        <translation>Gezeigte Frames mit Zeilen des vorigen Frames, wo Pakete fehlen.</translation>
    </message>
    <message>
        <source>Not shown</source>
        <translation>Nicht gezeigt</translation>
    </message>
    <message>
        <source>Frames due of which nothing arrived, or a newer one was due at the same swap.</source>
        <translation>Fällige Frames, von denen nichts ankam oder ein neuerer beim selben Swap fällig war.</translation>
    </message>
    <message>
        <source>Late</source>
        <translation>Verspätet</translation>
    </message>
    <message>
        <source>Frames swapped more than one frame interval after their presentation time.</source>
        <translation>Frames mit einem Swap mehr als ein Frameintervall nach ihrer Präsentationszeit.</translation>
    </message>
    <message>
        <source>Loss, %</source>
        <translation>Verlust, %</translation>
    </message>
    <message>
        <source>Share of the packets of its flows that were lost in the last 10 s</source>
        <translation>Anteil der Pakete ihrer Flows, die in den letzten 10 s verloren gingen</translation>
    </message>
    <message>
        <source>Lateness p99, ms</source>
        <translation>Verspätung p99, ms</translation>
    </message>
    <message>
        <source>Skew, ms</source>
        <translation>Versatz, ms</translation>
    </message>
    <message>
        <source>Of the newest frame that all tiles showed: this tile&apos;s swap less the earliest of all</source>
        <translation>Vom neuesten Frame, den alle Kacheln zeigten: Swap dieser Kachel minus der früheste von allen</translation>
    </message>
    <message>
        <source>Delay p99, ms</source>
        <translation>Laufzeit p99, ms</translation>
    </message>
    <message>
        <source>The slowest of its flows. %1</source>
        <translation>Der langsamste ihrer Flows. %1</translation>
    </message>
    <message>
        <source>Gbit/s</source>
        <translation>Gbit/s</translation>
    </message>
    <message>
        <source>Sum of its flows</source>
        <translation>Summe ihrer Flows</translation>
    </message>
</context>
<context>
    <name>lw::WallView</name>
    <message>
        <source>Tile %1,%2</source>
        <translation>Kachel %1,%2</translation>
    </message>
    <message>
        <source>Column %1</source>
        <translation>Spalte %1</translation>
    </message>
    <message>
        <source>Row %1</source>
        <translation>Zeile %1</translation>
    </message>
    <message>
        <source>Wall</source>
        <translation>Wand</translation>
    </message>
    <message>
        <source>%1 of %2 healthy</source>
        <translation>%1 von %2 in Ordnung</translation>
    </message>
    <message>
        <source>%1 (a recording has no previews)</source>
        <translation>%1 (eine Aufzeichnung hat keine Vorschauen)</translation>
    </message>
    <message>
        <source>Node %1: %2, %3</source>
        <translation>Knoten %1: %2, %3</translation>
    </message>
    <message>
        <source>No wall is connected yet</source>
        <translation>Noch ist keine Wand verbunden</translation>
    </message>
    <message>
        <source>Connect to a server to see its wall.</source>
        <translation>Mit einem Server verbinden, um seine Wand zu sehen.</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
</context>
<context>
    <name>lw::Waterfall</name>
    <message>
        <source>Where the time goes</source>
        <translation>Wo die Zeit bleibt</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>nicht gemessen</translation>
    </message>
    <message>
        <source>, wall median %1</source>
        <translation>, Median der Wand %1</translation>
    </message>
    <message>
        <source>%1: on screen</source>
        <translation>%1: auf dem Schirm</translation>
    </message>
    <message>
        <source>wall median</source>
        <translation>Median der Wand</translation>
    </message>
    <message>
        <source>p99</source>
        <translation>p99</translation>
    </message>
    <message>
        <source>waiting by design</source>
        <translation>planmäßiges Warten</translation>
    </message>
    <message>
        <source>median %1, p99 %2</source>
        <translation>Median %1, p99 %2</translation>
    </message>
</context>
<context>
    <name>lw::counts</name>
    <message>
        <source>1 tile</source>
        <translation>1 Kachel</translation>
    </message>
    <message>
        <source>%1 tiles</source>
        <translation>%1 Kacheln</translation>
    </message>
    <message>
        <source>1 flow</source>
        <translation>1 Flow</translation>
    </message>
    <message>
        <source>%1 flows</source>
        <translation>%1 Flows</translation>
    </message>
    <message>
        <source>1 node</source>
        <translation>1 Knoten</translation>
    </message>
    <message>
        <source>%1 nodes</source>
        <translation>%1 Knoten</translation>
    </message>
    <message>
        <source>1 alarm</source>
        <translation>1 Alarm</translation>
    </message>
    <message>
        <source>%1 alarms</source>
        <translation>%1 Alarme</translation>
    </message>
    <message>
        <source>1 frame</source>
        <translation>1 Frame</translation>
    </message>
    <message>
        <source>%1 frames</source>
        <translation>%1 Frames</translation>
    </message>
</context>
<context>
    <name>lw::icons</name>
    <message>
        <source>Icons are missing; install the package breeze-icon-theme to see them.</source>
        <translation>Symbole fehlen; das Paket breeze-icon-theme installieren, um sie zu sehen.</translation>
    </message>
</context>
<context>
    <name>lw::nouns</name>
    <message>
        <source>small</source>
        <translation>capital</translation>
    </message>
</context>
</TS>
