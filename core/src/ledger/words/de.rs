//! German: du and Sie, infinitives and passives as orders.

use super::Mark;

pub(super) const WORDS: &[(Mark, &str)] = &[
    (
        Mark::Prohibit,
        "verboten|untersagt|unzulässig|nicht erlaubt|nicht gestattet|nicht zulässig\
         |auf keinen fall|auf gar keinen fall|keinesfalls|keineswegs|unter keinen umständen\
         |unter gar keinen umständen|in keinem fall|niemals|nie wieder|nie mehr|nie im leben\
         |darf nie|darf nicht|darf kein*|darf nichts|darf niemand|dürfen nicht|dürfen nie\
         |dürfen kein*|darfst nicht|darfst kein*|darfst du nicht|sollst nicht|sollst kein*\
         |wehe|tabu|finger weg|hände weg\
         |lass die finger|lasst die finger|lassen sie die finger|verbiete|verbietet|verbitte",
    ),
    (
        Mark::Skip,
        "kein problem|keine ahnung|keine sorge|keine eile|keine ursache|nicht schlecht\
         |nicht wahr|noch nie|warum nicht|wieso nicht|geht nicht|funktioniert nicht\
         |klappt nicht|läuft nicht|nichts gefunden|weiß nicht|weiss nicht|verstehe nicht\
         |nicht mehr weiter|wusste ich nicht|nicht sicher|mach dir keine sorgen\
         |machen sie sich keine sorgen|macht euch keine sorgen|mach dir keinen kopf|nie gehört\
         |nie gesehen|nie verstanden",
    ),
    (
        Mark::Avoid,
        "vermeid*|verzicht*|unterlass*|unterlasse|lass *|lass|lasst|lassen sie|in ruhe|bleib*\
         |bleiben|bleibt|unverändert|unangetastet|unberührt|unangerührt|wie es ist|wie sie sind\
         |wie er ist|wie gehabt|wie bisher|gleich bleibt|erhalten|intakt|eingefroren|gesperrt\
         |schreibgeschützt|heilig|ohne dass|ohne dabei|ohne die|ohne das|ohne den|ohne etwas\
         |ohne meine*|ohne mein|ohne rückfrage|ohne absprache|ohne zu|ohne|statt|anstatt\
         |anstelle|stattdessen|weder|hör auf|hört auf|schluss mit|weglassen|lass weg|spar dir\
         |spar dir die|ausgeschlossen|ausschließ*|ausgenommen|erlaubt es nicht|geht gar nicht\
         |kommt nicht in frage|inakzeptabel|brauchst nicht|wird nicht|werden nicht\
         |will ich nicht|ich will kein*|ich möchte kein*|möchte nicht|mag ich nicht|mag kein*\
         |hasse|bloß nicht|ja nicht|nur nicht|besser nicht|lieber nicht|lieber|vorsicht|achtung\
         |raushalten|halt dich fern|fernhalten|rühr*|ignorier*|überspring*",
    ),
    (
        Mark::Naught,
        "kein|keine|keinen|keiner|keinem|keinerlei|nichts|niemand|niemanden|nirgends|nirgendwo\
         |nicht anfassen|nicht ändern|nicht löschen|nicht ausgeben|nicht verwenden\
         |nicht benutzen|nicht nutzen|nicht übersetz*|nicht verlassen|nicht committen\
         |nicht pushen|nicht mergen|nicht deployen|nicht verändern|nicht verändert\
         |nicht geändert|nicht gelöscht|nicht angefasst|nicht gerüttelt|nicht mehr\
         |nicht einfach|nicht selbst|nicht ohne|keine option|keine alternative|keine ausnahme*\
         |keine neuen|keine weiteren|keine zusätzlichen|keine externen|kein neuer\
         |nicht in frage|nicht akzeptabel|nicht verwendet|nicht benutzt|nicht genutzt\
         |nicht angerührt|nicht überschreiben|nicht umbenennen|nicht entfernen|nicht anlegen\
         |nicht erstellen|nicht schreiben|nicht senden|nicht verschicken|nicht veröffentlichen\
         |nicht installieren|nicht hinzufügen|nicht erwähnen|nicht raten|nicht ausführen\
         |nicht starten",
    ),
    (
        Mark::Must,
        "muss|musst|müssen|müsst|müsste*|sollte*|sollten|hat zu|haben zu|ist zu|sind zu\
         |einzuhalten|zu beachten|zu verwenden|zwingend|verpflichtend|pflicht|verbindlich\
         |erforderlich|notwendig|unbedingt|unerlässlich|wichtig|entscheidend|achte|achten sie\
         |achtet|beachte*|beachten|stell sicher|stelle sicher|stellen sie sicher|sicherstellen\
         |sorge dafür|sorg dafür|sorgen sie|denk dran|denk daran|denke daran|denken sie\
         |denkt dran|vergiss nicht|vergiss*|vergessen sie|behalte|behalten sie|behalt\
         |beibehalten|bewahre|halte dich|halt dich|halten sie sich|halte|halten sich|einhalten\
         |befolg*|folge den|folge der|folgen|richte dich|orientier*|beschränk*|begrenz*\
         |bevorzug*|ich bevorzuge|präferier*|mir wäre|mir ist lieber|mir ist wichtig|wäre schön\
         |wäre gut|wäre nett|wäre super|wäre toll|wäre mir|am liebsten|am besten|idealerweise\
         |ich hätte gern*|ich hätte lieber|hätte gern*|ich möchte dass|ich möchte, dass\
         |ich will, dass|ich will|ich möchte immer|ich erwarte|ich bitte|ich wünsche\
         |wir bevorzugen|wir nehmen|wir nutzen|wir verwenden|wir benutzen|wir arbeiten\
         |wir schreiben|wir unterstützen|wir haben uns|bei uns|hier gilt|es gilt|gilt|gelten\
         |gilt:|regel|regeln|richtlinie*|vorgabe*|vorschrift*|konvention*|standard|grundsatz\
         |grundsätzlich|prinzipiell|hinweis*\
         |schreib auf|schreibe auf|auf deutsch|auf englisch|auf französisch|duzen|siezen\
         |gesiezt|geduzt|du-form|sie-form|verwendet\
         |entwickelt wird|committet wird|gemergt wird|wird von mir|werden von|wird auf\
         |liegt unter|liegen unter|liegt in|liegen in|gehört in|gehören in|kommen|kommt in\
         |kommt als|landet in|endet mit|endet|beginnt mit|folgt|bestätige|dokumentier*\
         |protokollier*|prüf vor|kennzeichne|versteht sich|selbstverständlich|braucht\
         |brauche ich|benötig*|hier wird|hier werden|wird hier|werden hier|so machen wir\
         |machen wir|wir machen|man schreibt|man nimmt|gehört|gehören|heißt bei uns\
         |laufen gegen|läuft gegen|identisch|genauso|vertrag|dsgvo|gesetz*|lizenz*|rechtlich\
         |wäre ich dir|wäre ich ihnen|dankbar|hilft mir|erleichtert|mir am|beschlossen\
         |entschieden|vereinbart|festgelegt|abgemacht|ausgemacht|vorgegeben|geeinigt|zugesagt\
         |versprochen|haben uns auf|abgesprochen|wie besprochen|ich darf",
    ),
    (
        Mark::Standing,
        "ab sofort|ab jetzt|ab heute|von nun an|von jetzt an|künftig|in zukunft|zukünftig\
         |fortan|bis auf weiteres|fürs erste|vorerst|immer|jedes mal|jedesmal|jeder|jede|jedes\
         |jedem|jeden|bei jedem|bei jeder|vor jedem|vor jeder|nach jedem|nach jeder|pro|stets\
         |jederzeit|durchgehend|durchgängig|durchweg|ausnahmslos|generell|allgemein\
         |in der regel|normalerweise|üblicherweise|standardmäßig|dauerhaft|alle|allen|aller\
         |alles|sämtliche*|überall|im gesamten|in allen|wann immer|sooft|sobald|solange|falls\
         |sofern|wenn du|wenn sie|wenn etwas|wenn ein|wenn eine|wenn keine|im zweifel\
         |im zweifelsfall|bei unklarheiten|bei fragen|bei|während|solltest du|sollten sie\
         |in dem fall|in diesem fall|in diesem projekt|in diesem repo|für dieses projekt\
         |in unseren|in unserem|in unserer|ist jetzt|heißt jetzt|läuft jetzt|ist umgezogen\
         |umgezogen|wurde ersetzt|ersetzt durch|abgelöst|abgeschaltet|veraltet|ausgemustert\
         |gibt es nicht mehr|am wochenende|werktags|nachts|außerhalb der|bis ich zurück\
         |solange ich|ab montag|ab morgen|im urlaub",
    ),
    (
        Mark::Sequence,
        "die reihenfolge|diese reihenfolge|in dieser reihenfolge|genau in dieser reihenfolge\
         |reihenfolge|der reihe nach|danach|anschließend|zuletzt|zum schluss|hinterher\
         |erst dann|erst danach",
    ),
    (
        Mark::Order,
        "zuerst|als erstes|zunächst|zuerst einmal|daraufhin|abschließend|erst wenn|erst nach\
         |erst|bevor|ehe du|vor dem|vor der|nach dem|vorher|davor|zuvor|nacheinander\
         |schritt für schritt|schrittweise|schritt|schritte|vorgehen|ablauf|beginne mit\
         |fang an mit",
    ),
    (Mark::Step, "dann|schließlich|zweitens|drittens|und dann"),
    (
        Mark::Except,
        "außer|ausser|es sei denn|mit ausnahme|bis auf|abgesehen von|nur wenn|nur falls\
         |nur nach|nur mit|nur noch|nur|lediglich|ausschließlich|einzig|allein\
         |unter der bedingung|unter der voraussetzung|vorausgesetzt|bis ich|bis zur|bis zum|bis\
         |aber nicht|aber ohne|aber bitte|aber die|aber das|aber der|aber nur|allerdings|jedoch\
         |sonst|ansonsten|andernfalls|den rest|der rest|trotzdem|egal|selbst wenn|auch wenn",
    ),
    (
        Mark::Limit,
        "höchstens|maximal|mindestens|minimal|max|min|nicht mehr als|mehr als|weniger als\
         |nicht länger|nicht größer|unter|über|bis zu|bis maximal|budget|grenze|obergrenze\
         |limit|frist|spätestens|frühestens|überschreit*|übersteig*|pro tag|pro minute\
         |pro stunde|pro sekunde|kurz|knapp|knappe|prägnant|kurze|stichpunkt*|stichworte|sätze\
         |zeilen|wörter|zeichen|absätze|tabs|leerzeichen|netto|brutto|dezimalkomma\
         |nachkommastellen|großschreibung|kleinschreibung|in zentimetern|in euro|oder neuer\
         |oder höher|oder älter|ab version",
    ),
    (
        Mark::Approve,
        "frag mich|frage mich|fragen sie mich|frag vorher|frag erst|vorher fragen|erst fragen\
         |nachfragen|frag nach|rückfrage|rücksprache|absprache|freigabe|freigegeben|freigeb*\
         |zustimm*|zugestimmt|genehmig*|einverständnis|erlaubnis|mein ok|mein okay|mein go\
         |mein ja|meine freigabe|meine zustimmung|grünes licht|abnick*|absegn*|warte auf\
         |warte bis|warten sie|warte, bis|wartest|okay wartest|ich sage|ich ok|bestätigt habe\
         |ich bestätige|ich gesehen|ich geprüft|ich freigebe|zeig mir erst|zeig mir zuerst\
         |zeig mir vorher|leg mir|vorlegen|zur prüfung|prüfe ich|mach ich selbst|mache ich\
         |mach ich|übernehme ich|ich übernehme|ich kümmere|entscheide ich|erledige ich\
         |macht ausschließlich|von mir|ist meine sache|gib mir bescheid|gibst du mir bescheid\
         |bescheid|melde dich|sag mir bescheid|sag bescheid|informier mich|informiere mich\
         |erst erklärst|erklär mir jeden|stimm dich|abstimmen|ich deploye|ich merge|ich pushe\
         |ich veröffentliche|ich versende|ich verschicke|ich unterschreibe|ich entscheide\
         |ich prüfe|ich lese|ich gebe frei|mache ich selbst|über mich|läuft über mich\
         |laufen über|geht über mich|in meinem namen|zuerst an mich|erst an mich|mit mir\
         |das letzte wort|entscheidung",
    ),
    (
        Mark::Permit,
        "du kannst|sie können|ihr könnt|kannst du aber|könnt ihr\
         |darfst gern*|freie hand|nach belieben|wie du willst|wie sie wollen|erlaubt|gestattet\
         |brauchst du nicht|musst du nicht|nicht nötig|nicht notwendig|kein muss|leg los|nur zu\
         |mach ruhig|ruhig|gerne|brauchst|austoben",
    ),
    (
        Mark::Later,
        "erinner*|erinnere mich|später|nachher|irgendwann|noch offen|offen lassen|offen\
         |lassen wir|noch zu klären|zu klären|klären|noch entscheiden|müssen wir noch\
         |entscheiden wir|unentschieden|im hinterkopf|hinterkopf|merk dir|merke dir|merken sie\
         |behalte im|nicht vergessen|vor feierabend|am ende|zum abschluss|wenn alles\
         |wenn du fertig|wenn das durch|sobald das|danach noch|noch ein|noch eine|übergabe\
         |notier*|halte fest|halt fest|festhalten|vertag*|zurückstell*|ob wir|greifen wir\
         |kommen wir noch|nehmen wir uns",
    ),
    (Mark::Modal, "darf|dürfen|darfst|dürft|soll|sollen|sollst|sollt"),
    (Mark::If, "wenn|wo|also|auch|nach|vor|so was|sowas|ob|dass|weil|damit|sodass|obwohl"),
    (
        Mark::Ask,
        "warum|wieso|weshalb|wie|wer|wen|wem|woran|wozu|welche|welcher|welches|welchen|wann\
         |woher|wohin|was|gibt es|gibt's|ist das|hast du|hat jemand|kannst du mir sagen\
         |könntest du|weißt du|wie spät|wie viel*",
    ),
    (
        Mark::Report,
        "ich hab|ich habe|ich bekomme|ich bin|ich sehe|ich verstehe|ich suche|hier ist\
         |hier sind|hier der|hier die|anbei|leider|das problem|der fehler|die fehlermeldung\
         |hm|irgendwie|seit|kommt alle|zur einordnung|der kunde meint|ich finde|ich glaube\
         |ich denke|ich weiß|ich kann|ich brauche|ich versuche|ich frage|ich hatte|ich wollte\
         |ich dachte|ich vermute|ich wundere|ich meine|ich war|ich kriege|mein kollege\
         |meine kollegin|mein chef|meine tochter|mein sohn|mein vater|versteh ich|habe ich\
         |hab ich|bin ich",
    ),
    (Mark::Subject, "das ist|es ist|es gibt|mein rechner|mein laptop|mein skript"),
    (
        Mark::Past,
        "gestern|heute morgen|letzte woche|letzten monat|letztes jahr|vorhin|neulich\
         |gerade eben|hat leider|hatte|hatten|war|waren|wurde|wurden|wusste|lief|ging|kam\
         |gab es|schon wieder|schlug|fehlgeschlagen|fehlschlägt|fehlgeschlug|abgestürzt\
         |geklappt|funktioniert|eingecheckt|stürzt|crasht|hängt sich|sehen komisch",
    ),
    (
        Mark::Do,
        "füge|füg|fügen sie|ergänze*|ergänzen sie|behebe*|beheb|fix|fixe|korrigier*|korrigiere\
         |erstell*|erstelle|erstellen sie|schreib*|schreibe|schreiben sie|bau|baue|bauen sie\
         |implementier*|refaktorier*|benenne|benenn|umbenennen|lösch*|lösche|entfern*|entferne\
         |aktualisier*|ändere|änder|ändern sie|ersetz*|ersetze|übersetz*|übersetze\
         |übersetzen sie|fass|fasse|fassen sie|vergleich*|vergleiche|zeig*|zeige|zeigen sie\
         |suche|suchen sie|find|finde|prüf*|prüfe|prüfen sie|schau*|schaue|sieh|starte*\
         |starten sie|führ*|führe|lies|lesen sie|lade|lad|laden sie|rechne*|rechnen sie\
         |berechne*|analysier*|erklär*|erkläre|erklären sie|gib|geben sie|mach|mache|machen sie\
         |formatier*|sortier*|ordne*|exportier*|importier*|werte|konvertier*|wandle|räum*|räume\
         |teste*|test|hol|hole|sag mir|sagen sie mir|liste*|generier*|optimier*|kündig*|kündige\
         |kündigen sie|buch*|buche|bestell*|storniere*|durchsuch*|setz|setze|stell|stelle|pack*\
         |verschieb*|kopier*|öffne|schließ|installier*|deploy*|push*|merge*|commit*|update\
         |migrier*|los geht|weiter|mach weiter|fang an|leg|lege|ruf|rufe|fasst|editier*\
         |modifizier*|veränder*|veröffentlich*|zieh|ziehe|nenn*|entwirf|plane|kannst du\
         |würdest du|können sie|könnten sie|such mir|such nach|such bitte|such die|such den\
         |such das|such alle|such passagen|ich möchte|ich würde gern*|ich hätte gern eine\
         |schreibt|schick*|sende|sende mir|dreh",
    ),
    (
        Mark::Ack,
        "ja|jo|jep|ok|okay|danke|danke dir|super|perfekt|prima|toll|klasse|sehr gut|gut|genau\
         |genau so|alles klar|einverstanden|stimmt|richtig|hallo|hi|guten morgen|guten tag|moin\
         |interessant|passt|top|läuft|in ordnung|nein danke|variante",
    ),
    (
        Mark::Lead,
        "bitte|und|aber|jetzt|nun|nun zur sache|so|mal|außerdem|zudem|zusätzlich|übrigens|du\
         |sie|ihr|pls|ach|ach ja|doch|eben|einfach|erst mal|erstmal|heute|als nächstes|na|tja",
    ),
    (Mark::Branch, "zweig|auf dem branch|im branch|branch"),
    (Mark::Money, "euro|franken|dollar"),
    (Mark::Never, "nie"),
    (Mark::Nay, "nicht"),
    (
        Mark::MustDo,
        "nimm|nehmen sie|nutze|nutz|nutzen sie|verwende|verwenden sie|benutz*|benutze|setz auf\
         |setze auf|arbeite*|arbeite auf|antworte|antworten sie|antworte mir|sprich\
         |benutzen sie|verwend",
    ),
    (Mark::Allow, "du darfst|sie dürfen|ihr dürft"),
    (Mark::Beg, "bitte nicht|bitte nichts|bitte kein*|bitte nie"),
];
