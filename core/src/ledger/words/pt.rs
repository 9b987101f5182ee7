//! Portuguese, of Brazil and of Portugal.

use super::Mark;

pub(super) const WORDS: &[(Mark, &str)] = &[
    (
        Mark::Prohibit,
        "proibid*|proíb*|proibo|proibição|vetad*|em hipótese alguma|em hipótese nenhuma\
         |sob hipótese alguma|de jeito nenhum|de forma alguma|de maneira alguma\
         |em nenhuma circunstância|sob nenhuma circunstância|em caso algum|em nenhum caso\
         |nunca mais|não deve|não devem|não deves|não deverá|não pode nunca|nunca deve*\
         |jamais deve*|não é permitid*|não são permitid*|não se deve|nem pensar|nem pense\
         |nem sonhando|nem ouse",
    ),
    (Mark::Ne, "não|nao|só não|so nao|n|por favor não|favor não|que não"),
    (
        Mark::Forbid,
        "mexa|mexas|mexam|altere|alteres|alterem|apague|apagues|apaguem|encoste|encostes|toque\
         |toques|toquem|mude|mudes|mudem|modifique|modifiques|use|uses|usem|utilize|utilizes\
         |utilizem|faça|faças|façam|crie|cries|criem|delete|deletes|remova|removas|exclua\
         |excluas|suba|subas|envie|envies|mande|mandes|escreva|escrevas|rode|rodes|execute\
         |executes|instale|instales|adicione|adiciones|coloque|coloques|commite|comite|publique\
         |responda|respondas|invente|inventes|esqueça|esqueças|quebre|quebres|perca|percas\
         |deixe|deixes|mencione|inclua|incluas|repita|repitas|abrevie|comente|traduza|traduzas\
         |prometa|prometas|implemente|implementes|comece|comeces|comecem|reescreva|renomeie\
         |mova|movas|mergeie|abra|abras|feche|feches|compre|compres|pergunte|assuma|suponha\
         |gaste|gastes|passe|passes|pule|pules|edite|edites|copie|copies|cole|coles",
    ),
    (
        Mark::HeadForbid,
        "mexe|altera|apaga|encosta|toca|muda|modifica|usar|faz|fazer|cria|deleta|remove|sobe\
         |envia|manda|roda|instala|adiciona|coloca|commita|publica|responde|inventa|esquece\
         |quebra|deixa|menciona|inclui|repete|implementa|renomeia|pula|edita|mexer|alterar\
         |apagar|mudar|incluir|tocar|modificar|excluir|remover|enviar|commitar|publicar|editar\
         |instalar|renomear|deletar",
    ),
    (
        Mark::Skip,
        "não funciona|nao funciona|não sei|nao sei|não entendi|nao entendi|não entendo\
         |não consigo|nao consigo|não abre|não carrega|sem problema*|sem pressa\
         |não tem problema|não olhei|não foi|nao foi|não deu|pra que serve",
    ),
    (
        Mark::Avoid,
        "evite*|evita*|evitar|evitasses|abstenha*|nada de|nenhum|nenhuma|ninguém|ninguem|nem\
         |tampouco|chega de|basta de|pare de|para de|parem de|deixe de|deixa de|deixem|em paz\
         |como está|como estão|do jeito que|intact*|intocáve*|intocado*|intocável|sagrad*\
         |congelad*|bloquead*|travad*|está fora|estão fora|fora de questão|fora de cogitação\
         |ficam|fica|fique|fiquem|permanece*|mantém|mantêm|continua o|continue o|continua a\
         |continue a|sem mexer|sem mudar|sem alterar|sem quebrar|sem perder|sem usar|sem que\
         |sem|em vez de|ao invés de|no lugar de|não quero|não queria|não gosto|não gostamos\
         |não usamos|não vale|não valem|não conta|não entra|não entram|não podemos|não tem\
         |não é opção|não é aceitável|inaceitável|ignore|ignora\
         |descarte|descarta|exclui|omita|cuidado|atenção|longe de|tira a mão|tire as mãos\
         |mãos fora|larga|poupe|não precisasse|dispens*",
    ),
    (
        Mark::Must,
        "deve|devem|deves|deverá|deverão|deveria*|devia|precisa|precisam|precisas|tem que\
         |têm que|tem de|têm de|tens de|é preciso|é necessário|é obrigatório|obrigatori*\
         |obrigatório|indispensável|fundamental|essencial|importante|imprescindível|exige*\
         |exijo|exigência|certifique*|certifica*|garanta|garante|garantir|assegure*|procure\
         |procura|lembre-se|lembre|lembra que|lembra-te|não esqueça|não se esqueça|não esquece\
         |não te esqueças|tenha em mente|tem em mente|leve em conta|tenha em conta|fique atento\
         |atente*|respeite|respeita|respeitar|mantenha*|manter|mantém-te|conserve|preserve\
         |preserva|cumpra|siga|segue o|segue a|siga as|siga o|seguir|obedeça|limite-se\
         |limita-te|restrinja|atenha-se|prefiro|prefira|preferimos|preferia|preferi*\
         |gostaria que|gostava que|gostaria*|queria que|quero que|quero|queremos|espero que\
         |peço que|te peço|peço-te|lhe peço|agradeço*|agradecia*|agradeceria*|seria bom\
         |seria ótimo|seria legal|seria ideal|era bom|ia ser bom|ia ser ótimo|o ideal\
         |idealmente|de preferência|favor|queira|queiram|responder|fale comigo em|escreva em\
         |escreve em|trate*|tratasses|trata*|usa|utiliza|a gente usa|a gente faz|usamos\
         |utilizamos|trabalhamos|trabalhe|trabalha na|estamos no|estamos em|estamos amarrados\
         |aqui na|aqui no|aqui a gente|neste projeto|nesse projeto|neste repositório\
         |nesta sessão|regra|regras|norma*|padrão|política|convenção|guia de estilo|critério\
         |combinado|fica combinado|fica registrado|você escreve|eu escrevo|vai por mim|cite\
         |cita|assine|informe|avise|registre|registrar|documente|anote|só quem|quem|passa a\
         |é https|mudou pra|mudou para|tom|vai para|vai pra|vão para|vão pra|a gente não\
         |a gente nunca|a gente só|lgpd|contrato|por lei|licença|facilita*|me ajuda|ajudaria\
         |idêntic*|igualzinh*|decidimos|decidido|combinamos|acordamos|acordado|acordo\
         |ficou decidido|definimos|definido|conforme combinado|prometemos|prometi",
    ),
    (
        Mark::Standing,
        "daqui pra frente|daqui para frente|daqui em diante|daqui por diante|a partir de\
         |de agora em diante|doravante|de hoje em diante|por enquanto|por ora|para já|pra já\
         |até segunda ordem|sempre|toda vez|todas as|todos os|todo|toda|tudo|cada|a cada\
         |qualquer|quaisquer|quando|sempre que|em todos|em todas|por padrão|em geral|geralmente\
         |normalmente|via de regra|permanente*|na dúvida|em caso de|caso|se for|se precisar\
         |se tiver|se houver|se o|se a|se algo|se perguntarem|enquanto|durante|mesmo que\
         |mesmo q|ao terminar|ao final|no final|ao fim|pra encerrar|para encerrar|antes de sair\
         |agora é|passou a|passou pra|foi trocado|foi substituíd*|virou|agora se chama\
         |não existe mais|descontinuad*|obsolet*|fim de semana|dias úteis|de madrugada\
         |fora do horário|fica valendo|vale o|vale a|valendo|até eu voltar|enquanto eu",
    ),
    (
        Mark::Sequence,
        "nessa ordem|nesta ordem|nessa sequência|nesta sequência|na ordem|a ordem|ordem\
         |sequência|essa ordem|em seguida|por fim|por último",
    ),
    (
        Mark::Order,
        "primeiro|em primeiro lugar|depois de|antes de|antes que|após cada|passo a passo\
         |um por um|um de cada vez|logo depois|e só então|só então|só depois|aí sim|e aí\
         |roteiro|antes|os passos|etapas|é assim que",
    ),
    (Mark::Step, "depois|então|finalmente|segundo|terceiro|e depois|logo"),
    (
        Mark::Except,
        "exceto|salvo|a menos que|a não ser|desde que|contanto que|com a condição|com tal que\
         |exceção|até que|até eu|até você|só se|somente se|só quando|só com|só|somente|apenas\
         |unicamente|exclusivamente|mas sem|mas mantenha|mas deixe|mas deixa|mas a\
         |mas o|mas puxa|porém|contudo|entretanto|senão|do contrário|caso contrário|menos\
         |fora isso|tirando|o resto|de resto|independente*|igual ao|igual a|mesmo",
    ),
    (
        Mark::Limit,
        "no máximo|no mínimo|ao menos|pelo menos|máximo|mínimo|máxima|mínima|até|mais de\
         |mais que|menos de|menos que|um centavo|a mais|limite|teto|orçamento|verba|prazo\
         |ultrapass*|exced*|passar de|abaixo de|acima de|por hora|por dia|por minuto\
         |por segundo|quanto menos|curto|curta|curtos|curtas|breve*|conciso|concisa|sucint*\
         |direto ao ponto|objetivo|em português|em portugues|em inglês|em ingles|em espanhol\
         |no imperativo|maiúscula*|minúscula*|palavras|linhas|frases|parágrafos|casas decimais\
         |tabs|espaços|aspas|formato|separador|utf 8|ou superior|em diante|só em",
    ),
    (
        Mark::Approve,
        "pergunte antes|pergunta antes|me pergunte|me pergunta|pergunte-me|perguntar antes\
         |me consulte|me consulta|consulte*|fala comigo|fale comigo|falar comigo\
         |minha aprovação|meu ok|meu aval|o aval|aval|minha autorização|autorização|aprovação\
         |aprovar|aprove|aprovo|aprovado|autorize|autorizar|eu autorizar|eu aprovar\
         |eu confirmar|confirme comigo|confirma comigo|confirmação|eu disser|eu falar|eu mandar\
         |eu der|sinal verde|espere|espera|aguarde|aguarda|me avise|me avisa|avise-me|avisa-me\
         |me mostre|me mostra antes|mostre-me|me manda o plano|manda o plano|me envie\
         |passe por mim|passar por mim|eu faço|eu cuido|eu decido|quem decide|deixa comigo\
         |é comigo|eu reviso|revisar antes|proponha|me apresente|eu publico|eu envio|eu mando\
         |eu subo|eu assino|eu aprovo|eu mesmo|eu mesma|passa por mim|passam por|passar por\
         |em meu nome|no meu nome|primeiro comigo|comigo antes|comigo primeiro|a última palavra\
         |a decisão|decisões",
    ),
    (
        Mark::Permit,
        "pode mexer|pode usar|pode fazer|podes|você pode|vocês podem|pode|à vontade|tá liberado\
         |está liberado|liberado|liberada|fique à vontade|carta branca|como quiser\
         |do jeito que quiser|permitid*|não precisa|não é necessário|nao precisa\
         |sem necessidade|tudo bem se|está autorizado|manda ver",
    ),
    (
        Mark::Later,
        "me lembre|me lembra|lembre-me|lembra-me|lembrar|mais tarde|depois a gente|depois vemos\
         |depois decid*|a decidir|pendente|pendência*|em aberto|falta decidir|temos que decidir\
         |precisamos decidir|decidir se|não resolve|não precisa resolver|puxa esse|puxar\
         |quando chegar*|quando a gente|assim que|quando terminar*|quando concluir\
         |quando acabar|uma vez que|me deixa|me deixe|deixe-me|anota|anotar|toma nota|guarde\
         |guarda|faltando|o que falta|listinha|lista do que|traga de volta|voltar a|voltamos a\
         |ponto em aberto",
    ),
    (Mark::Not, "nada"),
    (Mark::If, "se|onde|também|aí|ainda|após|para|já"),
    (
        Mark::Ask,
        "por que|porque é|pq|qual|quais|quem é|quem foi|quando é|quanto|quanta|quantos|quantas\
         |que horas|o que|pra que|para que|será|tem como|existe|alguma pista|alguma ideia|cadê\
         |dá pra|você sabe|sabe se|como faço|como eu|como funciona|como fica|como se|como tá\
         |como posso|como é|é verdade",
    ),
    (
        Mark::Report,
        "estou|eu estou|eu acho|acho|achei|eu tenho|eu tava|o erro|o problema|o bug|aqui está\
         |segue o log|segue|gostaria de saber|gostava de perceber|desconfio|deu erro\
         |a minha tá|está dando|tá dando|tá errado|está errado|nem sabia|um colega|uma colega\
         |ele já|ela já|na nota",
    ),
    (Mark::Subject, "isso|isto|eu|meu|minha"),
    (
        Mark::Past,
        "ontem|hoje cedo|hoje de manhã|semana passada|mês passado|de novo|outra vez|caiu|falhou\
         |falharam|quebrou|deu errado|está dando errado|foi|foram|era|eram|estava|tava|tinha\
         |tinham|teve|tive|houve|fiz|fez|fizemos|disse|falei|falou|saiu|ficou bonito|começou\
         |comecei|troquei|comparei|atualizei|recebi|comprei|paguei|deixei|mandou|parou|sumiu\
         |funcionou|gerou|nunca tinha|infelizmente|de vez em quando|curtiu|já foi|ficou mais\
         |na hora|voltou sozinh*|uns três minutos|deu ruim",
    ),
    (
        Mark::Do,
        "adicionar|corrija|corrige|corrigir|criar|escreve|redija|refaz|refaça|troque|troca\
         |converta|converte|traduz|resuma|resume|compare|compara|mostre|mostra|me mostra|me diz\
         |me diga|diga|me dá|me dê|busque|busca|veja|olha|olhe|executa|gere|gera|prepare\
         |prepara|otimize|otimiza|calcule|calcula|analise|analisa|explique|explica|ordene\
         |reserve|reserva|tira|ponha|põe|baixe|baixa|abre|me manda|reescreve|refatore|refatora\
         |atualize|atualiza|extraia|extrai|começa|vamos|bora|continue|continua|termine|complete\
         |verifique|verifica|confira|confere|sugira|sugere|planeje|planeja|organize|organiza\
         |classifique|leia|limpe|limpa|teste|testa|cancele|cancela|resolve|resolva|monte|monta\
         |cola|padronize|arrume|arruma|puxe|passemos|primeira página|pra mim|anonimize|migre\
         |migra|divida|divide|dá uma|dê uma|vê aí|vê se|vê isso|lê o|lê a|tire o|tire a|fecha o\
         |fecha a|apaga a pasta|compila|imagina|mostra aí",
    ),
    (
        Mark::Ack,
        "sim|ok|beleza|blz|valeu|obrigad*|muito obrigad*|perfeito|ótimo|legal|certo|tá bom\
         |tudo bem|claro|oi|olá|bom dia|boa tarde|boa noite|pronto|exato|entendi|correto|show\
         |massa|maravilha|opção|isso mesmo|isso aí|achei que ficou",
    ),
    (
        Mark::Lead,
        "por favor|pfv|pf|e|mas|agora|bom|além disso|ou seja|você|vocês|tu|senhor\
         |pode por favor|poderia|pode preparar|ah|por enquanto foca",
    ),
    (Mark::Branch, "branch|na branch|ramo"),
    (Mark::Money, "reais|real|euros|euro|dólar*|centavo*"),
    (Mark::FirstProhibit, "nunca|jamais"),
    (Mark::NeMay, "não pode|não podem|não podes"),
    (Mark::ExceptNe, "mas não"),
];
