//! Spanish, of Spain and of America: tú, usted and vos.

use super::Mark;

pub(super) const WORDS: &[(Mark, &str)] = &[
    (
        Mark::Prohibit,
        "prohibid*|prohib*|terminantemente|bajo ningún concepto|bajo ninguna circunstancia\
         |bajo ningún motivo|en ningún caso|de ninguna manera|de ningún modo|ni se te ocurra\
         |ni se le ocurra|que no se te ocurra|jamás de los jamases|no debes|no debe|no deben\
         |no deberás|no deberá|no se debe|no se debe*|no puedes tocar|no se permite\
         |no está permitido|no se admite*|no se acepta*|no se toca*|no se modifica*\
         |no se borra*|no se cambia*|nunca debe*|jamás debe*|queda prohibid*|no vayas a\
         |no vaya a|nunca más|nunca se|jamás se",
    ),
    (Mark::HeadProhibit, "que nadie"),
    (Mark::Ne, "no|por favor no|que no"),
    (
        Mark::Forbid,
        "toques|toque|toqués|toquen|toquéis|modifiques|modifique|modifiqués|modifiquen|cambies\
         |cambie|cambiés|cambien|cambiéis|borres|borre|borrés|borren|elimines|elimine|eliminen\
         |uses|usés|usen|utilices|utilice|utilicen|hagas|haga|hagás|hagan|hagáis|subas|suba\
         |subás|suban|implementes|implemente|implementen|escribas|escriba|escriban|agregues\
         |agregue|agreguen|añadas|añada|añadan|metas|meta|metan|pongas|ponga|pongan|instales\
         |instale|instalen|ejecutes|ejecute|ejecuten|corras|corran|lances|lance|lancen|crees\
         |creen|muevas|mueva|muevan|renombres|renombre|publiques|publique|publiquen|envíes\
         |envíe|envíen|mandes|mande|manden|respondas|responda|respondan|contestes|conteste\
         |contesten|actives|active|activen|desactives|despliegues|despliegue|fusiones|mezcles\
         |comitees|commitees|pushees|edites|edite|editen|alteres|altere|alteren|rompas|rompa\
         |rompan|quites|quite|quiten|saltes|salte|omitas|omita|inventes|invente|inventen\
         |supongas|suponga|asumas|asuma|incluyas|incluya|incluyan|menciones|mencione|mencionen\
         |repitas|repita|expliques|explique|pidas|pida|pidan|prometas|prometa|prometan|olvides\
         |olvide|olviden|pierdas|pierda|dejes|deje|dejen|sobrescribas|reescribas|refactorices\
         |traduzcas|traduzca|abras|abra|cierres|cierre|reinicies|toqueteis|empieces|empiece\
         |resuelvas|resuelva|avances|avance|compres|compre|reserves|reserve|gastes|gaste\
         |contactes|contacte|llames|llame|comentes|comente|mezcle|copies|copie|pegues\
         |descargues|descargue|compartas|comparta|sigas|siga",
    ),
    (
        Mark::Avoid,
        "evita*|evite*|evitá|evitar|abstente|absténgase|absten*|nada de|ningún|ninguna|ninguno\
         |nadie|ni un|ni una|ni siquiera|ni editar*|ni borrar*|tampoco|fuera de|intocable*\
         |sagrad*|congelad*|bloquead*|vetad*|descartad*|descarta*|descarte*|excluye*|excluya*\
         |omite|olvídate|olvidate|olvídese|olvida|deja de|deje de|dejá de|dejar de|deja en paz\
         |deja quiet*|deja como|déjalo|dejalo|déjelo|dejalos|déjalos|dejala|déjala|deja|dejá\
         |quieto|basta de|se acabó|ya no|no quiero|no quisiera|no me gusta*|no nos gusta*\
         |no soporto|no vale|no valen|no sirve|no cuenta*|no es opción|no es una opción\
         |no hace falta|no usamos|no usaras|no se|no podemos|no tiene que|no tienen que|sin que\
         |sin tocar|sin cambiar\
         |sin modificar|sin romper|sin perder|sin usar|sin añadir|sin agregar|sin borrar\
         |sin preguntar|sin avisar*|sin mi|sin permiso|sin|en vez de|en lugar de|tal cual\
         |tal y como|como está*|intact*|se queda*|se mantiene*|se conserva*|se respeta*|queda*\
         |quede*|ojo|cuidado|manos fuera|lejos de|ni de broma|ni hablar|ni loco\
         |preferiría que no|aparta*|apartá",
    ),
    (
        Mark::Must,
        "debe|debes|deben|deberá|deberás|deberán|debería*|debés|debemos|tiene que|tienes que\
         |tenés que|tienen que|tenga que|ha de|han de|hay que|hace falta que|es necesario\
         |es obligatorio|obligatori*|imprescindible|fundamental|es importante|importante\
         |indispensable|requier*|se exige|exijo|exige|asegúrate|asegurate|asegúrese|asegurarse\
         |procura*|procure|procurá|recuerda|recuerde|recordá|ten en cuenta|tené en cuenta\
         |tenga en cuenta|tenlo|téngalo|ten presente|ten cuidado|fíjate|fijate|fíjese\
         |no olvides|no te olvides|no olvide|no se olvide|acuérdate|acordate|respeta*|respete*\
         |respetá|conserva*|conserve*|mantén*|mantené*|mantenga*|mantener|cumpl*|sigue las\
         |sigue el|sigue la|sigue los|siga las|siga el|siga la|seguí las|cíñete|ceñite|limítate\
         |limitate|limítese|limitar*|restring*|ajústate|atente|prefiero|preferimos|preferiría*\
         |prefer*|me gustaría|nos gustaría|me gusta|nos gusta|estaría bien|sería bueno\
         |sería ideal|sería deseable|sería genial|no estaría mal|ojalá|lo ideal|idealmente\
         |quiero que|quisiera que|querría que|quiero|necesito que|espero que|le pido|te pido\
         |pido que|te ruego|le ruego|agradecería|agradezco|trabajamos con|trabajamos en\
         |tiramos de|usamos|utilizamos|escribimos|aquí se|acá se|en este proyecto|en este repo\
         |en esta sesión|la norma|las normas|norma|regla*|convención|política|guía de estilo\
         |criterio|contesta*|contestá*|responde|respondé|háblame|hablame|tutéame|trátame|tutea\
         |tuteo|de usted|dirígete|dirija|firma|usa|usá|use|utiliza*|emplea*|se usa*|se escribe*\
         |se hace*|se llama*|va|van|vayan|vaya en|ahí va|quede|que quede|que sea*|que se|que el\
         |que la|que los|que las|que todo|que nada|vive en|viven en|decidimos|decidido\
         |acordamos|acordado|acuerdo|quedamos en|hemos quedado|descartamos|según lo acordado\
         |prometimos|pactado|nos comprometimos",
    ),
    (
        Mark::Standing,
        "a partir de|de ahora en|desde ahora|de aquí en|en adelante|en lo sucesivo|a futuro\
         |por ahora|de momento|por el momento|mientras|mientras tanto|hasta nuevo aviso|siempre\
         |cada|cada vez|todas las|todos los|todo el|toda la|todo lo|toda|todo|cualquier*|cuando\
         |siempre que|en todo|en todos|en todas|por defecto|por lo general|en general\
         |generalmente|normalmente|como norma|por norma|permanente*|ante la duda|en caso de\
         |si hay|si hace falta|si tienes|si tiene|si preguntan|si necesitas|si algo|si el|si en\
         |si no|si te|si ves|si la|si un|si alguien|si vas|al acabar|al terminar|al final\
         |al finalizar|al cerrar|al empezar|a lo largo|durante|ahora es|pasa a ser|de aquí a\
         |hasta que vuelva|se mudó a|ha cambiado a|cambió a|pasó a|ha pasado a|se llama ahora\
         |ya no se usa|queda obsolet*|fines de semana|entre semana|de noche|fuera de horario\
         |en horario|todos y cada",
    ),
    (
        Mark::Sequence,
        "en este orden|en ese orden|este orden|ese orden|el orden|siempre en ese orden|orden\
         |por orden|luego|a continuación|por último",
    ),
    (
        Mark::Order,
        "primero|en primer lugar|después de|antes de|antes que|tras cada|paso a paso|uno a uno\
         |uno por uno|acto seguido|y solo entonces|solo entonces|recién entonces|recién ahí\
         |previamente|al pie de la letra|procedimiento|los pasos",
    ),
    (Mark::Step, "después|entonces|finalmente|segundo|tercero|y después|y luego"),
    (
        Mark::Except,
        "salvo|excepto|a menos que|a no ser que|siempre y cuando|con tal de que\
         |con la condición|a condición|excepción|hasta que|mientras no|mientras yo|solo si\
         |sólo si|únicamente si|solo cuando|pero sin|pero que|pero mantén|pero deja\
         |eso sí|aunque|de lo contrario|si no,|menos|aparte de|quitando|lo demás|el resto\
         |por lo demás|con independencia|no otra|no otro|y no otra|que no cambie*|que no se\
         |que no afecte|que siga*|siguiera|siga siendo|igual que|lo mismo vale",
    ),
    (
        Mark::Limit,
        "como mucho|como máximo|como mínimo|al menos|a lo sumo|máximo|mínimo|máxima|mínima\
         |a más tardar|no más de|no menos de|más de|menos de|hasta|tope|límite|presupuesto\
         |pasar de|exced*|super*|por debajo|por encima|solo|sólo|solamente|únicamente\
         |exclusivamente|exclusivo|nada más|ni uno más|ni una más|por hora|por día|por minuto\
         |por segundo|corto|corta|breve*|conciso|concisa|escueto|al grano|en español|en inglés\
         |en castellano|en catalán|en portugués|en francés|en alemán|en imperativo\
         |en mayúscula*|en minúscula*|palabras|líneas|frases|viñetas|párrafos|dos decimales\
         |decimales|tabuladores|espacios|comillas|una sola|un solo|o superior|posterior* a\
         |anterior* a",
    ),
    (
        Mark::Approve,
        "pregúntame|preguntame|pregunte antes|pregunta antes|pregúnteme|consúltame|consultame\
         |consúlteme|consultá*|consulta*|consulte*|visto bueno|mi aprobación|mi permiso|mi ok\
         |mi okey|mi autorización|autorización|aprobación|aprueb*|apruebe|autoric*|autorice\
         |confirme|confirmes|confirmo|confirmar|que yo|te diga|te dé|te avise|yo diga|yo lo\
         |yo apruebe|lo diga|avísame|avisame|avíseme|avisá|avísenme|pasar por mí|pasara por mí\
         |pasara antes|pasar el borrador|enséñame|enseñame|muéstrame|mostrame|muéstreme\
         |espera a|espera mi|esperá|espere|antes por mí|lo cierro yo|lo hago yo|lo decido yo\
         |decido yo|hago yo|de eso me encargo|me encargo yo|me ocupo yo|eso lo|es cosa mía\
         |yo me|revise antes|revisar antes|propón|proponé|propóngame|plan antes|luz verde\
         |pasan por|pasa por|por mis manos|las apruebo|lo apruebo|los apruebo|firmo yo\
         |publico yo|despliego yo|subo yo|mando yo|envío yo|yo despliego|yo publico|yo subo\
         |yo mando|yo envío|yo apruebo|yo firmo|en mi nombre|primero a mí|conmigo|decisiones\
         |la última palabra|la decisión",
    ),
    (
        Mark::Permit,
        "puedes|podés|puede usar|puede hacer|pueden|adelante|dale|libertad|como quieras\
         |como quiera|a tu gusto|tienes permiso|está bien si|no pasa nada|no es necesario\
         |no necesitas|vía libre|carta blanca|ya puedes|se puede|queda permitido|permitid*\
         |permito|te dejo|lo puedes|los puedes|la puedes|las puedes|puedes ir|te encargas\
         |decide tú|tú decides|vos decidís|como veas|a tu criterio",
    ),
    (
        Mark::Later,
        "recuérdame|recordame|recuérdeme|recuérdanos|más tarde|más adelante|luego vemos\
         |ya veremos|pendiente*|por decidir|por resolver|sin decidir|queda por|falta por\
         |falta decidir|tenemos que decidir|hay que decidir|decidir si|que no se nos olvide\
         |no se nos olvide|para después|después vemos|aparca*|cuando lleguemos|cuando termin*\
         |cuando acab*|cuando hayas|una vez|en cuanto|tan pronto|dejame|déjame|déjeme\
         |deja escrito|deja anotado|apunta|anota*|toma nota|ten apuntado|haz copia|documenta*\
         |documentá*|cuéntame|contame",
    ),
    (Mark::Not, "ni"),
    (Mark::If, "si|donde|ya|también|aún|así que|por eso|antes|para"),
    (
        Mark::Ask,
        "por qué|porqué|cuál|cuáles|quién|dónde|cuándo|cuánto|cuánta|cuántos|cuántas|hay algún\
         |hay alguna|existe|alguna idea|sabes|me explicas|me puedes|me podrías|qué es|qué hace\
         |qué hacen|qué significa|qué pasa|qué pasó|qué diferencia|qué tal|qué hay|qué hora\
         |qué opinas|qué tipo|qué versión|qué comando|cómo se|cómo puedo|cómo hago\
         |cómo funciona|cómo es|cómo está|cómo van|cómo lo|cómo podría",
    ),
    (
        Mark::Report,
        "me da|me sale|me dice|estoy|sigo|llevo|creo que|ya probé|ya hablé|el cliente con\
         |aquí tienes|te paso|te adjunto|ahí te|hay un|hay una|el error|el problema|el bug\
         |he visto|he probado|he|falta|fallan|falla|yo sospecho|no entiendo|no lo sé\
         |tienes los datos|yo creo",
    ),
    (Mark::Subject, "esto es|esto de aquí|me|mi|sale|aparece|mira"),
    (
        Mark::Past,
        "ayer|anoche|esta mañana|la semana pasada|el mes pasado|hace un|hace dos|hace tres\
         |ha vuelto|ha fallado|fue|era|eran|estaba|estaban|había|habían|hubo|tuve|tuvo|tuvimos\
         |falló|fallaron|funcionó|borró|probé|hice|hizo|hicimos|dijo|dijeron|salió|pasó|quedó\
         |empezó|cobraron|rompió|perdió|ha sido|ha|recibí|compré|pedí|pagué|vi|vimos|encontré\
         |nos quedamos|otra vez|de nuevo|por suerte|por desgracia|lamentablemente|no funciona\
         |no funcionan|no arranca|no carga|no aparece|no encuentro|no sé|no me deja|no me sale\
         |nunca había|está genial|llevo toda|acabo de|me quedé|esa noche|he liberado|se cayó\
         |al parecer|hemos visto|hemos tenido|han fallado|han salido|han dejado",
    ),
    (
        Mark::Do,
        "agrega*|agregá*|añade|añadí|arregla*|arreglá*|arregle|corrige|corregí|corrija|crea\
         |creá|cree|haz|hacé|hazme|haceme|hágame|escribe|escribí|redacta*|redactá|redacte\
         |cambia*|cambiá*|convierte|convertí|convierta|traduce|traducí|resume|resumí|resuma\
         |compara*|compará|compare|muestra|mostrá|muestre|pásame|pasame|páseme|dame|dime|decime\
         |dígame|busca*|buscá*|busque|revisa*|revisá*|revise|mirá|mire|corre|corré|corra\
         |ejecuta*|ejecutá|lanza*|genera*|generá|genere|prepara*|prepará|prepare|optimiza*\
         |optimizá|optimice|calcula*|calculá|calcule|analiza*|analizá|analice|explica*|explicá*\
         |ordena*|ordená|ordene|reserva*|reservá|instala*|instalá|renombra*|renombrá*|elimina*\
         |eliminá|borra*|borrá*|quita*|quitá|pon|poné|ponme|sube|subí|baja|descarga*|abre|abrí\
         |cierra|cerrá|envía*|enviá|manda*|mandá*|reescribe|refactoriza*|rediseña*|implementa*\
         |implementá|actualiza*|actualizá|actualice|saca*|sacá*|saque|extrae|extraé|extraiga\
         |empieza|empezá|empezamos|vamos con|vamos a|toca|continúa|continuá|seguí|sigue\
         |sigue con|sigue tú|termina|parte|divide|completa*|verifica*|comprueba*|recomienda*\
         |sugiere|planea|planifica*|organiza*|clasifica*|lee|léete|leé|lea|hazlo|rehaz|rehacé\
         |hacelo|limpia*|prueba|probá|cancela*|cancelá|anula|quisiera cambiar|quiero cambiar\
         |necesito un|necesito una|necesito el|necesito la|me haces|me pasas|me das",
    ),
    (
        Mark::Ack,
        "vale|ok|perfecto|genial|gracias|muchas gracias|bien|muy bien|de acuerdo|claro|hola\
         |buenas|buenos días|buenas tardes|buenas noches|listo|exacto|entendido|correcto\
         |estupendo|bárbaro|buenísimo|opción|oye|qué bueno|bravo|sí,|sí.|sí!|sí a|sí por favor",
    ),
    (
        Mark::Lead,
        "por favor|porfa|y|pero|pues|ahora|bueno|che|además|o sea|a ver|antes de nada|tú|usted\
         |vos|ustedes|puedes por favor|podrías|podría|puede|quiero que me|necesito que me\
         |ahora toca|dicho esto",
    ),
    (Mark::Branch, "rama|la rama es|en la rama"),
    (Mark::Money, "euro|euros|dólar*|pesos|peso|soles|reales|libras|yenes"),
    (Mark::FirstProhibit, "nunca|jamás"),
    (Mark::NeMay, "no puede|no pueden|no puedes|no podés"),
    (
        Mark::HeadForbid,
        "usar|tocar|modificar|borrar|cambiar|hacer|pedir|incluir|mencionar|poner|agregar\
         |añadir|subir|ejecutar|crear|escribir|enviar|eliminar|mover|renombrar|editar|instalar\
         |publicar|desplegar|mezclar|fusionar",
    ),
    (Mark::ExceptNe, "pero no"),
];
