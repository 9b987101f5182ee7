//! French: tu and vous, with and without "ne".

use super::Mark;

pub(super) const WORDS: &[(Mark, &str)] = &[
    (
        Mark::Prohibit,
        "touche pas|touchez pas|touches pas|change pas|changez pas|modifie pas|supprime pas\
         |efface pas|interdit*|interdiction|interdis|défense de|défendu de|proscri*|prohib*\
         |en aucun cas|sous aucun prétexte|à aucun moment|en aucune façon|en aucune manière\
         |jamais de la vie|plus jamais|il ne faut pas|il ne faut jamais|faut pas\
         |faut surtout pas|surtout pas|ne doit pas|ne dois pas|ne doivent pas|ne devez pas\
         |ne doit jamais|ne dois jamais|ne doivent jamais|ne devez jamais|ne doit plus\
         |ne doivent plus|ne doit en|ne doivent en|n'est pas autorisé*|ne sont pas autorisé*\
         |n'est pas permis|pas le droit|vous êtes prié* de ne|on ne touche|je t'interdis\
         |je vous interdis\
         |t'avise pas|qu'on ne|que personne ne|gare à toi",
    ),
    (
        Mark::Ne,
        "ne|n'|de ne|ne me|ne le|ne la|ne les|ne te|ne t'|ne m'|ne l'|ne vous|ne nous|ne se",
    ),
    (Mark::Deny, "pas|rien|aucun*|personne"),
    (
        Mark::Skip,
        "n'hésite pas|n'hésitez pas|ne t'inquiète|ne marche pas|ne fonctionne pas\
         |ne démarre pas|pas de problème|pas de souci|pas mal|pas encore|pas sûr|pourquoi pas\
         |je ne sais pas|je sais pas|ne sais pas|de plus|plus rapide|plus lent|en plus\
         |une fois de plus|y'a plus",
    ),
    (
        Mark::Avoid,
        "évite*|évitez|éviter|évitons|abstiens*|abstenez*|abstenir|renonce*|bannis|banni*\
         |laisse*|laissez|laisser|laisse tomber|pas touche|bas les pattes|hors de question\
         |hors limites|exclu*|exclus|exclure|écarte*|ignore|ignorez|oublie*|oubliez|arrête*\
         |arrêtez|cesse*|cessez|stop aux|fini les|finis les|plus de|pas de|pas d'|pas un\
         |pas une|pas le|pas la|pas les|pas avant|pas question|pas la peine|pas besoin|aucune\
         |nulle part|personne ne|rien ne|rien avant|rien d'autre|rien de|rien à|ni|sans\
         |sans que|sans toucher|sans changer|sans modifier|sans casser|sans ajouter|sans mon\
         |sans me|sans demander|au lieu de|plutôt que|plutôt|tel quel|telle quelle|tels quels\
         |telles quelles|en l'état|inchangé*|intact*|intouchable*|figé*|gelé*|verrouillé*\
         |sacré*|tabou|réservé*|identique*|tranquille|reste*|restent|restera|rester|demeure*\
         |ne mettes|n'apparaisse*|n'en sors|n'en veut|n'en veux|on n'en|on n'utilise|on ne\
         |on évite|je ne veux|je veux pas|nous ne|je n'aime|j'aime pas|je ne souhaite\
         |ne veux pas|n'accepte|n'est pas une solution|n'est pas acceptable\
         |n'est pas envisageable|n'est pas une option|pas acceptable|inacceptable|hors jeu\
         |pas envie|loin de|gare à|gare aux|attention|nul ne|de ne pas|de ne plus|de ne rien\
         |à ne pas|de n'",
    ),
    (
        Mark::Must,
        "doit|dois|doivent|devez|devra|devras|devront|devrez|devrait|devraient|devrais|il faut\
         |faut|il faudra*|faudrait|falloir|obligatoire*|impérati*|indispensable*|nécessaire*\
         |essentiel*|important|primordial|exige*|exigence*|requis*|assure-toi|assurez-vous\
         |assure toi|assurez vous|veille*|veillez|veiller|pense à|pensez à|penser à|n'oublie*\
         |n'oubliez*|oublie pas|oubliez pas|souviens*|souvenez|rappelle-toi|garde*|gardez\
         |garder|conserve*|conservez|maintien*|maintenez|préserve*|respecte*|respectez\
         |respecter|conforme*|tiens-toi|tenez-vous|limite-toi|limitez-vous|borne-toi|cantonne*\
         |restreins|contente-toi|contentez-vous|suis les|suis la|suis le|suivez|suivre\
         |applique*|appliquez|privilégie*|privilégiez|favorise|préfère*|préférez|préférons\
         |je préfère|on préfère|préférer*|j'aimerais|on aimerait|j'apprécierais|je souhaite*\
         |nous souhait*|je voudrais que|je veux que|je veux|on veut|je tiens à|j'attends\
         |ce serait bien|ce serait mieux|ce serait|serait bien|serait préférable|dans l'idéal\
         |idéalement|autant que|merci de|merci d'|prière de|veuillez|soit|soient\
         |reste identique|réponds|répondez|répondre|me réponds|parle-moi|tutoie*|vouvoie*\
         |écris en|écrivez en|rédige en|en français|en anglais|en espagnol|en allemand|utiliser\
         |passe par|passez par|passer par|porte*|porter\
         |travaille sur|travaille dans|bosses sur|bosse sur|tu bosses|tu travailles|règle*\
         |charte|consigne*|convention*|politique|norme*|principe|chez nous|dans ce projet\
         |dans ce dépôt|pour ce dépôt|pour ce projet|ici on|ici, on|on utilise|on est en\
         |on est sur|nous utilisons|on travaille|on écrit|on vouvoie|on tutoie|on passe|on met\
         |on fait|on garde|continuent de|continue de|c'est moi qui|s'en occupe*|gère|suffit\
         |suffisent|fera l'affaire|s'entend*|figure*|note-le|notez-le|signale*|préviens*\
         |prévenez|indique*|cite*|citez|précise*|vérifie*|vérifiez|décidé|convenu|acté|retenu\
         |tranché|on a dit|on s'est mis d'accord|accord avec|comme convenu|promis",
    ),
    (
        Mark::Standing,
        "désormais|dorénavant|à partir de|à compter de|à l'avenir|dès maintenant|dès à présent\
         |à présent|jusqu'à nouvel ordre|pour l'instant|pour le moment|toujours\
         |systématiquement|chaque|chaque fois|à chaque|pour chaque|tous les|toutes les|tout\
         |toute|tous|toutes|quand|lorsque|dès que|dès qu'|n'importe|quel que soit\
         |quelle que soit|quoi que|quoi qu'il|partout|par défaut|en général|généralement\
         |d'habitude|habituellement|normalement|en permanence|sans exception|dans tous\
         |dans toutes|en cas de|en cas|au cas où|au moindre|si jamais|s'il y a|si tu|si vous\
         |si un|si une|si le|si la|si quelque|tant que|tant qu'|pendant|durant|au-delà|au delà\
         |en dehors|à la fin|en fin de|avant de|d'ici|une fois que|une fois|c'est https\
         |maintenant|est passé à|passe à|a changé|a déménagé|a été remplacé*|est remplacé*\
         |n'est plus utilisé*|obsolète*|abandonné*|déprécié*|le week-end|en semaine|la nuit\
         |hors heures|d'ici à|d'ici là|tout le temps",
    ),
    (
        Mark::Sequence,
        "dans cet ordre|dans l'ordre|l'ordre|cet ordre|ordre suivant|et dans cet ordre\
         |toujours dans cet ordre|toujours dans|puis|ensuite|enfin",
    ),
    (
        Mark::Order,
        "d'abord|tout d'abord|en premier|pour finir|après quoi|avant d'|avant que|avant chaque\
         |avant tout|avant toute|après chaque|après avoir|étape*|pas à pas|une par une\
         |un par un|l'un après|seulement ensuite|et seulement|au préalable|préalable*\
         |commence par|termine par|terminez par|commencez par",
    ),
    (Mark::Step, "après|deuxièmement|troisièmement|et ensuite|et puis|après ça|finalement"),
    (
        Mark::Except,
        "sauf|hormis|excepté|à moins que|à moins de|à condition|pourvu que|du moment que\
         |dès lors que|à l'exception|exception*|jusqu'à|jusqu'à ce|tant que je|mais pas\
         |mais sans|mais que|mais garde|mais laisse|mais ne|mais on|mais il faut|mais la\
         |mais le|mais les|sinon|même si|même quand|en revanche|par contre|toutefois|cependant\
         |uniquement|seulement|rien que|exclusivement|autre que|à part|le reste|pour le reste\
         |urgence|sous réserve|en échange|à l'identique|comme avant|comme aujourd'hui\
         |comme d'habitude",
    ),
    (
        Mark::Limit,
        "maximum|minimum|au maximum|au minimum|au plus|au moins|tout au plus|pas plus|moins de\
         |inférieur*|supérieur*|dépasse*|dépasser|limite*|plafond|budget|quota|délai|avant le\
         |au plus tard|par jour|par heure|par minute|par seconde|seul|seule|seuls|seules|ne que\
         |que des|que du|court|courte|courts|courtes|bref|brève*|concis*|succinct*|l'essentiel\
         |puces|phrases|mots|lignes|paragraphes|tabulations|espaces|guillemets|hors taxes|ttc\
         |en milliers|décimales|minuscules|majuscules|ou plus|et plus|ou supérieur*\
         |tout compris",
    ),
    (
        Mark::Approve,
        "demande-moi|demandez-moi|demande moi|tu me demandes|me demander|me demandes\
         |sans mon accord|mon accord|mon aval|mon feu vert|feu vert|ma validation|ma relecture\
         |relecture|valide*|validé*|validation|approuv*|approbation|autorise*|autorisation\
         |accord de|j'ai confirmé|je n'ai pas confirmé|j'aie|j'ai dit|je te dis|je te dise\
         |je vous dise|je dise|je valide|je confirme|je relis|je relise|je donne|consulte-moi\
         |consultez-moi|préviens-moi|prévenez-moi|avertis-moi|montre-moi d'abord\
         |montre-moi avant|propose-moi|soumets*|soumettez|soumettre|attends|attendez|attendre\
         |c'est moi|je m'en occupe|je m'en charge|je ferai|je gère|je fais|c'est à moi\
         |ma décision|à moi de|je déploie|je publie|je pousse|j'envoie|j'approuve|je signe\
         |je merge|je fusionne|je tranche|je décide|moi qui|passe par moi|passent par\
         |passer par moi|en mon nom|d'abord à moi|avec moi|le dernier mot|la décision",
    ),
    (
        Mark::Permit,
        "tu peux|vous pouvez|tu as le droit|vous avez le droit|le droit de|tu es libre|libre à\
         |carte blanche|autorisé*|permis|permets|vas-y|allez-y|pas obligé|inutile de\
         |pas nécessaire|à ta guise|comme tu veux|comme vous voulez|n'es plus obligé|on peut",
    ),
    (
        Mark::Later,
        "rappelle-moi|rappelez-moi|rappelle moi|plus tard|on verra|à voir|à décider|à trancher\
         |reste à|trancher|décider|à régler|en suspens|en attente|sous le coude|garde ça\
         |gardez ça|en tête|à l'esprit|on y reviendra|on en reparle*|reparle|reviens*\
         |quand tout|quand on|quand ce|quand ce sera|quand tu auras|lister les|liste-moi les\
         |laisse-moi|laissez-moi|note|notez|noter|prends note|prenez note|garde en\
         |point* ouvert*|question ouverte",
    ),
    (Mark::If, "si|où|donc|aussi|avant|même"),
    (
        Mark::Ask,
        "pourquoi|pq|quel|quelle|quels|quelles|qui|que fait|qu'est-ce|qu'est ce|est-ce|est ce\
         |combien|à quoi|peux-tu me dire|peut-on|y a-t-il|c'est quoi|une idée|où est|où sont\
         |ton avis|tu penses|sais-tu|savez-vous|quand est|comment faire|comment ça|comment on\
         |comment je|comment fonctionne|comment est|comment se|comment puis|comment peut\
         |il reste combien",
    ),
    (
        Mark::Report,
        "j'ai|je n'ai|je me|je suis|je cherche|je pense|je crois|je voudrais|je veux savoir\
         |il a|elle a|ils ont|on a|ça a|le client|voici|voilà|ci-joint|le problème|l'erreur\
         |le bug|pourtant|apparemment|bizarre|je croyais|je pensais|on m'a dit",
    ),
    (Mark::Subject, "c'est|ça|cela|mon|ma|mes|il y a|y'a|y a"),
    (
        Mark::Past,
        "cette nuit|ce matin|la semaine dernière|le mois dernier|a planté|ont planté|a échoué\
         |a duré|était|étaient|avait|avaient|a été|ont été|a encore|encore planté|fut|avais\
         |j'étais|n'a pas|n'ont pas|a eu|a dit|a fait|ai fait|ai vérifié|ai essayé|vient de\
         |viens de|depuis|déjà|malheureusement|clignote|plante|ne marche|devait|hier soir\
         |hier matin|hier après|d'hier|avant hier|hier,|hier j'|hier on|hier la|hier le\
         |rien ne marchait|est revenu|croyais|pensais",
    ),
    (
        Mark::Do,
        "ajoute*|ajoutez|corrige*|corrigez|crée*|créez|écris|écrivez|rédige*|rédigez|affiche*\
         |affichez|montre*|montrez|génère*|générez|renomme*|renommez|supprime*|supprimez\
         |compare*|comparez|calcule*|calculez|lance*|lancez|exécute*|exécutez|extrais|extrayez\
         |traduis*|traduisez|résume*|résumez|explique*|expliquez|donne*|donnez|dis-moi\
         |dites-moi|dis moi|cherche*|cherchez|trouve*|trouvez|regarde*|regardez|fais*|faites\
         |refais*|refaites|remplace*|remplacez|change*|changez|modifie*|modifiez|mets*|mettez\
         |migre*|migrez|importe*|importez|exporte*|exportez|prépare*|préparez|analyse*|analysez\
         |reprends|reprenez|relis|relisez|relance|liste*|listez|envoie*|envoyez|télécharge*\
         |installe*|installez|annule*|annulez|réserve*|réservez|commande|convertis*\
         |convertissez|refactorise*|réécris*|nettoie*|optimise*|teste*|testez|implémente*\
         |déplace*|ouvre*|ferme*|continue*|continuez|commence*|commençons|on commence|propose*\
         |proposez|planifie|organise*|classe*|trie*|complète*|termine*|remets|passe|passez\
         |sors-moi|anonymise*|occupe-toi|occupez-vous|allez|tiens|touche*|active\
         |désactive|tu peux m'expliquer|tu peux regarder|peux-tu|pouvez-vous|pourrais-tu\
         |pourriez-vous",
    ),
    (
        Mark::Ack,
        "oui|ok|d'accord|merci|merci beaucoup|super|parfait|génial|très bien|bien|bonjour|salut\
         |bonsoir|entendu|compris|exact|exactement|bravo|nickel|top|cool|ça marche\
         |la dernière version|alors là",
    ),
    (
        Mark::Lead,
        "s'il te plaît|s'il vous plaît|stp|svp|et|mais|alors|bon|du coup|là|tu|vous|toi\
         |également|en outre|par ailleurs|ah|hm|mdr|lol",
    ),
    (Mark::Branch, "branche|la branche|sur la branche"),
    (Mark::Money, "euros|euro|dollars|francs"),
    (Mark::HeadForbid, "plus"),
    (Mark::FirstProhibit, "ne pas|ne jamais|ne plus|ne rien"),
    (Mark::Never, "jamais"),
    (Mark::MustDo, "utilise|utilisez|emploie|employez"),
    (Mark::Beg, "merci de ne pas|merci de ne jamais|prière de ne pas"),
];
