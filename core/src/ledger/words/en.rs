//! English.

use super::Mark;

pub(super) const WORDS: &[(Mark, &str)] = &[
    (
        Mark::Skip,
        "don't worry|do not worry|don't know|don't get me wrong|don't think|don't understand\
         |don't see|don't mind|don't you think|do not know|never mind|nevermind|no problem\
         |no worries|no idea|no luck|not sure|why don't|why doesn't|why can't|why isn't\
         |why won't|no longer works|no more questions|no rush|no hurry|don't remember\
         |don't have|do not have|don't need to know|all good|if possible|as if|if any\
         |make sense|makes sense|can't seem|not working|doesn't work|does not work|didn't work\
         |still not|not found|does not exist|no such|not a|no offence|no offense|the following\
         |as follows|first name|last name|first time|last time|at first|the first\
         |must be a mistake|must be an error|if that helps|if it helps|i'll do that\
         |i will do that|let me check|let me try|let me see if|i'll check|at the moment\
         |right now|no longer apply|a day later|later flight*|to a later|the later\
         |one last thing|last thing|just to make sure|to make sure|of course|as for\
         |figure out why|figure out how|figure out what|should i|should we|should it|why should\
         |not only|any other|anything else i|is there anything|over there|all over\
         |over and over|moved over|under the hood|double check that|double check this\
         |double check the|double checked|lol|of all things|for the first time|it is what it is\
         |hundred|hundreds|speed|embed|indeed|shared|based|related|advanced|nested|typed|unused\
         |unrelated|not make sense|not work|don't hesitate|do not hesitate|you never know",
    ),
    (
        Mark::Prohibit,
        "must not|mustn't|must never|may not|may never|shall not|shall never|should never\
         |should not ever|do not ever|don't ever|don't you dare|never ever|never again\
         |you will not|you will never|you are not to|you're not to|you must not|you should not\
         |you shouldn't|you should never|you may not|you can't touch|are not to be|is not to be\
         |isn't to be|aren't to be|not to be touched|not to be changed|not to be modified\
         |under no circumstance*|in no case|on no account|by no means|at no time\
         |no circumstances|forbidden|prohibited|prohibit*|forbid*|verboten|strictly off limits\
         |not permitted|not allowed to|isn't allowed|aren't allowed|is not allowed\
         |are not allowed|disallowed|banned\
         |i forbid|i want you to never|be sure not to|make sure not to|make sure you don't\
         |make sure you never|make sure to never|be careful not to|take care not to\
         |stop committing|stop pushing|stop using|stop changing|stop editing|stop touching\
         |stop adding|touch nothing|change nothing|delete nothing|modify nothing|commit nothing\
         |do nothing|told you not to|told you never to|you can't push|you cannot push\
         |you can't commit|you cannot commit|you can't merge|you cannot merge|you can't deploy\
         |you cannot deploy|you cannot touch|you can't edit|you cannot edit|you can't modify\
         |you cannot modify|you can't delete|you cannot delete",
    ),
    (
        Mark::HeadProhibit,
        "do not|don't|no one may|nobody may|never touch|never touching|never modify\
         |never change|never delete|never remove|never commit|never push|never use|never run\
         |never edit|never add|never create|never write|never merge|never deploy|never rename\
         |never overwrite|never force|never install|never send|never share|never log\
         |never print|never expose|never mention|never ask|never assume|never guess|never skip\
         |never rewrite|never refactor|never reformat|never publish|never upload|never call\
         |never move|never break|never store|never disable|never ignore|never put|never let\
         |never make|never do|never leave|never drop|never reuse|never hard code|never book\
         |never buy|never pay|never promise|never reply|never respond|never answer|never tell\
         |never give|never show",
    ),
    (
        Mark::Avoid,
        "avoid*|refrain*|hands off|keep off|stay off|stay away|keep away|steer clear|stay clear\
         |stay out of|keep out of|off limits|off the table|out of bounds|out of scope\
         |out of the question|out of play|no go|non starter|rather not|rather you didn't\
         |prefer not|prefer you didn't|prefer you don't|prefer if you didn't|would hate\
         |don't want|do not want|don't like|do not like|hate it when|can't stand|i'm not a fan\
         |not a fan of|not keen on|no fan of|leave alone|leave it alone|leave them alone\
         |leave as is|leave as they are|leave it as|leave them as|leave the rest\
         |leave everything|left alone|left as is|left untouched|leave untouched\
         |leaves untouched|be left|as is|as they are|as it is|stays as|stay as|stays put\
         |stay put|stay where|stays where|stays the way|stay the way|unchanged|untouched|intact\
         |unmodified|undisturbed|without touching|without changing|without breaking\
         |without modifying|without altering|without editing|without adding|without asking\
         |without my|without me|without any|without a|without an|without the|without having\
         |without using|without losing|without running|without creating|without introducing\
         |without first|without anyone|without prior|without explicit|without approval\
         |without permission|without confirm*|without|instead of|rather than|in place of|not in\
         |not on|not with|not the|not for|not npm|not to|sacred|frozen|locked down|locked\
         |read only|readonly|append only|write protected|protected|untouchable|taboo|holy\
         |hard no|deal breaker|dealbreaker|unacceptable|not acceptable|not okay|not ok|isn't ok\
         |isn't okay|not an option|isn't an option|no excuses|no exceptions|no exception\
         |zero tolerance|not negotiable|non negotiable|doesn't count|does not count|don't count\
         |do not count|won't accept|can't accept|will be rejected|gets rejected\
         |counts as a fail*|no new|no extra|no additional|no more|no other|no third party\
         |no external|no unnecessary|no need for|no fancy|no emoji*|no placeholder*\
         |no hard coded|no hardcoded|no breaking|no changes|no change|no code|no direct\
         |no force|none of|neither|nor|no longer support*|no longer use|no longer allow*\
         |we don't|we do not|we never|we no longer|we avoid|we try not|people don't\
         |i don't want|i never want|i do not want|i don't like|i'd hate|can't have|cannot have\
         |can't afford|cannot afford|can't be|cannot be|must survive|don't let|do not let\
         |don't lose|won't do|skip*|ignore|omit*|exclude*|excluding|leave out|drop the|ditch\
         |do away|get rid of|quit|cut out|cut the|cut it out|stop*|spare me|lay off|hold off\
         |forget about|forget the|leave|leaves|left out|kept out|keep it out|keep them out\
         |stays out|stay out|stays off|no one|nobody|nothing|nowhere|mind not|please not\
         |not touch|not change|not push|not modify|not delete|not use|not run|not add\
         |not commit|not edit|not create|not remove|not include|not mention|not break|not merge\
         |not deploy|not send|not reply|not write|not make|not do|not go|not exceed|not contain\
         |not rely|not depend|not leak|not alter|not rename|not install|not overwrite\
         |not refactor|not assume|not guess|not touching|not changing|not using|not adding\
         |not pushing|not committing|you can't|you cannot|you can not|i must not|i mustn't\
         |i must never|i should never|i should not|i shouldn't|i may not|was not allowed to\
         |wasn't allowed|were not allowed to|weren't allowed|is not allowed from this origin\
         |is not allowed by|access is not allowed",
    ),
    (Mark::Ne, "no"),
    (Mark::HeadAvoid, "not|none|less|fewer"),
    (
        Mark::Must,
        "must|have to|has to|having to|need to be|needs to be|needs to|need to stay\
         |needs to stay|ought to|should|shall|shouldn't|required to|obliged|is required\
         |are required|require*|mandatory|compulsory|obligatory|essential|crucial|critical that\
         |important that|imperative|it is important|it's important|importantly|vital\
         |at all costs|at any cost|at all times|at all time|no matter what|make sure\
         |make certain|be sure to|be sure that|ensure*|see to it|see that|take care to\
         |take care that|be careful|careful with|careful about|watch out|mind the|mind that\
         |mind you|beware|be mindful|pay attention|take note|note that|please note|nb:\
         |keep in mind|bear in mind|remember that|remember to|remember:|don't forget\
         |do not forget|never forget|be aware|keep*|kept|retain*|preserve*|maintain*|respect\
         |honor|honour|adhere*|conform*|comply|complies|abide*|obey|stick to|sticks to\
         |stick with|sticking to|stay within|stay under|stay below|stay in|stay on|stay inside\
         |stays within|stays under|stays in|stays on|remain*|restrict*|limit*|confine*\
         |constrain*|prefer*|i'd like|i would like it|would be nice|would be great\
         |would be lovely|would be good|would be better|would be best|it'd be|i'd be happier\
         |i'd be more|i'd rather|i would rather|would rather|i'd much|i'd love|i'd appreciate\
         |i would appreciate|would appreciate|appreciated if|ideally|we want|i like|we like\
         |i expect|we expect|i insist|we insist|i need every|i need all|my preference|favour\
         |favor|feel free|style guide|guideline*|convention*|house rule*|ground rule*|rule\
         |rules|the norm|in this repo|in this project|in this codebase|in our codebase\
         |in our repo|around here|in this house|on this project|in this session|this session\
         |for this session|in this thread|in this chat|for this project|for this repo\
         |for this task|for the duration|for the rest of|goes through|go through|goes in|go in\
         |goes into|go into|goes to|go to a|lives in|live in|belongs in|belong in|belongs to\
         |stays|lands in|ends up in|end up in|counts as|count as|treat*|stand for|stands for\
         |is defined as|are defined as|always means|refers to|refer to|follow*|use only\
         |uses only|answer in|reply in|respond in|write in|speak|address me|call me|address the\
         |in english|in plain|in german|in french|in spanish|in japanese|in chinese|in korean\
         |in portuguese|in british|american english|british english|british spelling\
         |american spelling|default to|fall back to|base url|pinned to|pin to|targeting\
         |we support|we target|we ship|we use|we're using|we run|we're on|we are on|we only\
         |we write|we keep|we name|we call|we have a rule|our style|our rule*|our policy\
         |our convention*|our standard*|our team|the way we|how we do|the way i|i want you\
         |i want it|i want all|i want every|i want the|i want everything|i want no\
         |talk to me in|talk to me like|must be compatible|stay compatible|backwards compatible\
         |backward compatible|assume that|assume the|would make my life|it would|it'd\
         |that would|would help|would mean|would save|would love|grateful if|it helps if\
         |it helps me|i sleep better|i'm happiest|happier if|happiest when|comfortable if\
         |comfortable with|i'd be grateful|means a lot|matters to me|matters a lot|identical\
         |same shape|same way|are addressed|is addressed|addressed as|addressed by|gotta|needs\
         |need not|has got to|have got to|bound to|bound by|obliged to|on us to|on you to|law\
         |legally|gdpr|hipaa|compliance|audit*|licen*|contract*|by contract|standards|spec says\
         |the spec|nda|decided|agreed on|agreed that|we agreed|team agreed|agreed to|settled on\
         |we settled|ruled out|mandated|stipulate*|we've agreed|as agreed|per agreement\
         |committed to|we're committed|promised|signed a",
    ),
    (
        Mark::HeadMust,
        "use|stay|run only|work on|work in|work only|work from|work with|commit to|commit on\
         |commit only|commit in|commit early|commit after|push to|push only|sign|cite|quote\
         |name|format|tag|label|prefix|mark|log|document|comment|test first|write tests\
         |write only|respond|answer|reply|talk|think|explain|double check|verify|validate\
         |confirm|consult|check with|check in|ask|wait|hold|pause|report|tell me|let me know\
         |notify|inform|alert|warn|ping|inform me|flag|escalate|hand over|hand off|stick|aim\
         |round|store|save|put|place|send only|work|target|pretend|act|behave|imagine|be|focus\
         |just the|all|any|every|each|everything|anything|whatever|whoever|wherever|both|either\
         |match|mirror|minimi*|reuse|prioriti*|optimi*|bias|err|lean|go easy|take your time\
         |take it|let's keep|let's stick|let's use|let's not|let's avoid|let us|assume|consider\
         |give me only|give me the answer|show me a plan|propose|present|start every|start each\
         |end every|end each|begin every|begin each|finish|treat|interpret|pick|choose|select\
         |set aside|mind|trust|rely|depend|don|roll back|back up|backup|rollback|revert if|note\
         |reminder|constraint*|requirement*|restriction*|condition*|one rule|important|caution\
         |warning|heads up|fyi|please be|provide|include*|return only|output only|print only\
         |avoid|reserve|insist|disable|enable|silence|mute|keep|own|bring it|bring that|park\
         |table",
    ),
    (
        Mark::Standing,
        "from now on|from here on|from this point|from here on in|going forward|moving forward\
         |henceforth|hereafter|for today|as of now|as of today|starting now|starting today\
         |starting from|until further notice|in future|in the future|from today|always|whenever\
         |every time|everytime|each time|any time|anytime|all the time|at every|in every\
         |for every|on every|after every|before every|with every|for each|in each|on each\
         |after each|before each|per file|per line|per day|per request|per pr|per commit\
         |everyone|throughout|across the board|consistently|without fail|invariably|strictly\
         |exclusively|generally|as a rule|as a general|by default|typically|permanently|forever\
         |for good|is now|are now|is dead|are dead|as soon as|the moment|once the|once you\
         |once it|once we|once i|once that|once done|once finished|once everything\
         |when you're done|when you are done|when you finish|when finished|when done\
         |when in doubt|if in doubt|if you're unsure|if you are unsure|if unsure\
         |if you're not sure|if you're stuck|if you get stuck|in case|in doubt|when it comes\
         |when asked|if asked|if the user|if a user|if the customer|if a customer|when the user\
         |when a user|when the customer|when a customer|if someone|when someone|when i ask\
         |if i ask|when i say|if i say|unless i say|while you|while we|as you go|along the way\
         |at the end of|by the end of|end of day|end of the day|at the start of\
         |at the beginning of|has moved|have moved|moved to|moved over to|changed to\
         |has changed to|switched to|migrated to|renamed to|was renamed|has been renamed\
         |replaced by|has been replaced|deprecated|retired|decommissioned|sunset|shut down\
         |no longer|from monday|starting monday|until friday|until monday|while i'm|while i am\
         |as long as i'm|during the|over the weekend|weekends|weekdays|business hours\
         |office hours|at night|after hours|each and every|every single|per default|nowadays\
         |these days",
    ),
    (
        Mark::Sequence,
        "the order matters|order matters|in this order|in that order|in exactly that order\
         |exactly in that order|strictly in that order|always in that order|keep that order\
         |keep this order|this order|that order|in the order|in order:|in the following order\
         |in sequence|that sequence|this sequence|following sequence|only then",
    ),
    (
        Mark::Order,
        "one at a time|one by one|step by step|in turn|and only then|only after|then and only\
         |not before|right before|right after|immediately before|immediately after|prior to\
         |followed by|before you|before we|before i|before any|before anything|before doing\
         |before making|before starting|before running|before committing|before pushing\
         |before merging|before deploying|before deleting|before writing|before touching\
         |before editing|before changing|before installing|before implementing|before moving\
         |before going|before they|after you|first of all|start by|begin by|start with\
         |begin with|finish with|finish by|end with|end by|last of all|beforehand|first,\
         |first and|first then",
    ),
    (Mark::Opening, "first|firstly|to begin with"),
    (
        Mark::Step,
        "then|next|finally|lastly|last|second|secondly|third|thirdly|fourth|fifth|after that\
         |afterwards|afterward|and then|subsequently|following that|when that|step",
    ),
    (
        Mark::Except,
        "except*|unless|until|till|only if|only when|only once|but only|other than|apart from\
         |aside from|save for|bar the|barring|as long as|so long as|provided|providing that\
         |on condition|on the condition|given that|subject to|with the exception|exempt*\
         |but not|but no|but keep|but leave|but make|but please|but the|but it|but we\
         |but i want|but i'd|but i need|as opposed to|not counting|even if|even when\
         |even though|regardless|no matter|if and only|outside of|anything else|nothing else\
         |no one else|nowhere else|only in|only on|only the|only from|only to|only with\
         |only use|only for|only ever|only one|only ones|only a|solely|purely|merely|just leave\
         |just keep|just make sure|same as|exactly as|exactly how|the way it|like it is\
         |like before|as before|as usual|as today|outside the scope|w/out|w/o|minus the|sans",
    ),
    (
        Mark::Limit,
        "at most|at least|no more than|not more than|no less than|no fewer than|no later than\
         |no earlier than|not later than|no longer than|no bigger than|no larger than|less than\
         |fewer than|more than|up to|maximal|minimal|minimally|tops|capped|ceiling|quota\
         |threshold|limit|per hour|per minute|per second|or fewer|or later|or newer|or higher\
         |or above|or below|or older|or better|onwards|or earlier|and later|and newer|and up\
         |and above|a single|one at a|shorter|brief|briefly|concise|terse|succinct|tight\
         |simple as possible|small as|short as|little as|few as|verbose|verbosity|wordy|compact\
         |decimals|decimal|snake case|camel case|camelcase|snake_case|kebab case|pascal case\
         |single quotes|double quotes|semicolons|trailing comma*|imperative mood|present tense\
         |past tense|first person|third person|lower case|lowercase|upper case|uppercase\
         |british|american|oxford comma|metric|iso 8601|utc|utf 8|24 hour|exceed*|below the\
         |within the limit*|keep it short|short and|short answers|short answer|stay short\
         |in short|plain text|plain english|plain language|words max|in words|lines max\
         |tabs not|tabs over|tabs, not|spaces not|spaces, not|bullets only|bullet points\
         |full sentences|as short as possible|as few as possible|as little as possible\
         |as small as possible|as simple as possible|cap|max|maximum|min|minimum|budget\
         |deadline|only",
    ),
    (
        Mark::Approve,
        "ask me|ask first|ask before|asking me|asking first|ask for|check with me|check with us\
         |check in with|run it by|run by me|past me|run them by|run that by|clear it with\
         |sign off|signoff|signs off|signed off|my approval|approval|approve*|approving|my ok\
         |my okay|my go|go ahead from|green light|greenlight|thumbs up|my permission|permission\
         |my consent|my say so|say so|i tell you|i told you|i confirm|i've confirmed\
         |i have confirmed|i've read|i've seen|i've reviewed|i have reviewed|i've approved\
         |i've signed|i review|i've checked|i approve|i reply|i give|i've given|i'm back\
         |i get back|let me review|let me look|let me decide|let me approve|let me confirm\
         |let me do|let me know before|let me know first|i want to see|i want to review\
         |i want to approve|i want to read|i'd like to see|i'd like to review|i will review\
         |i'll review|i'll handle|i'll take care|i'll merge|i'll push|i'll commit|i'll deploy\
         |i'll decide|i will do|i will handle|i decide|i do the|i merge|i handle|i want a say\
         |is my job|is my call|my job|my call|my decision|up to me|is on me|wait for|waits for\
         |wait until|wait till|wait on|hold on until|hold until|confirm with|confirm before\
         |show me first|show me before|show me the plan|show it to me|show them to me\
         |show me what|propose first|plan first|plan only|plan mode|review first|dry run\
         |in doubt ask|consult*|get my|needs my|need my|needs a human|goes to a human\
         |human review|human in the loop|double check with|tell me first|tell me before\
         |tell me what you|tell me why before|explain first|explain before|explain each\
         |talk to me|talk it through|two pairs of eyes|second pair of eyes|pull request\
         |goes through a pr|open a pr|via pr|by pr|draft only|as a draft|drafts only|don't send\
         |leave the sending|leave it to me|leave that to me|leave the final|final say\
         |final word|last word|handed to a human|escalate to a human|hand over to a human\
         |until i say|when i say so|i'll do it myself|i'll do the|i'll run the|let me see it\
         |let me see the|let me check it|confirmation from|wait for confirmation\
         |need confirmation|my confirmation|without confirmation|get confirmation|get confirmed\
         |must be confirmed|ask for confirmation|discuss it|discuss first|discuss any|discussed\
         |i deploy|i push|i publish|i release|i send|i sign|i ship|i tag|i close|i run the\
         |i make the|i take care|i have the final|i own|you don't|only i|only me|me only|myself\
         |by me|from me|with me first|me first|to me first|through me|i get to|i get the\
         |on my behalf|in my name|behind my back",
    ),
    (
        Mark::Permit,
        "you may|you can|you're free|you are free|go ahead|free to|fine to|ok to|okay to\
         |it's ok|it's okay|it's fine|it is fine|is fine|are fine|fair game|no need to\
         |don't have to|do not have to|needn't|don't bother|doesn't have to\
         |doesn't need|you don't need|no longer need|can ignore|can skip|up to you|your call\
         |your choice|as you like|as you see fit|however you|whatever you|carte blanche\
         |knock yourself out|i trust you|never mind the|forget what i said|scrap that\
         |scratch that|drop that|disregard|i changed my mind|ignore what i|lifted\
         |no longer applies|no longer needed|no longer required|not needed|good to go\
         |by all means|suffices|suffice|you're allowed|you are allowed|is allowed|are allowed\
         |is permitted|are permitted|do not need to|don't need to|you do not need",
    ),
    (
        Mark::Later,
        "later on|for later|at some point|eventually|still have to|still need to|still needs\
         |still to be|yet to|to be decided|tbd|tba|undecided|open question*|open point*\
         |open issue|not decided|haven't decided|have not decided|to decide|to figure out\
         |to settle|to be settled|to discuss|need to decide|must decide|should decide\
         |decide later|decide whether|decide if|come back to|get back to|park that|park this\
         |park it|parked|shelve*|on hold|on ice|table that|put a pin|keep that in mind\
         |keep this in mind|in the back of|back burner|don't let me forget|so we don't forget\
         |so i don't forget|before the end|before you close|before you finish|before you stop\
         |before we finish|before we wrap|before you wrap|wrap up|when you wrap|when you close\
         |when we get to|once we get to|handover|leave a note|leave me a|leave a|write down\
         |jot down|make a note|take a note|keep track|keep a list|keep a log|keep notes\
         |keep me posted|keep me updated|keep me in the loop|let me know when|let me know once\
         |let me know if|tell me when|tell me if|tell me once|tell me as soon|ping me|notify me\
         |bring it up|bring that up|bring this up|raise it again|raise that|todos|later we\
         |we later|later decide|sometime later|come later|until later|figure out whether we\
         |to figure out whether|to figure out if|next time we|decide tomorrow|not sure yet\
         |haven't figured|remind*|revisit|circle back|come back|follow up|todo:|todo list\
         |to do list|to do later",
    ),
    (Mark::Not, "can't|cannot|won't|doesn't|isn't|aren't|didn't|wouldn't"),
    (
        Mark::If,
        "if|when|where|while|once|after|just|still|again|also|for now|for the moment\
         |for the time being|anyone|all of|in all|for all|if they|normally|usually|upon\
         |in general|later|instead|policy|policies|or more|or less|before the|after the\
         |before that|before this|before it|single|enough|before|in parallel|words|lines\
         |characters|sentences|paragraph*",
    ),
    (
        Mark::Ask,
        "what|what's|whats|who|who's|whose|whom|which|how|how's|is it|is there|is this\
         |is that|are there|are you|is the|do you|do we|do i|has the|have you|any idea*\
         |any chance|wdyt|am i|did you|did i|did we|did it|did the|does it|does the\
         |does this|does that|does anyone|was it|was that|was this|were there|were you|how come\
         |how do|how does|how is|how long|how many|how much|what is|what does|what do\
         |what happens",
    ),
    (
        Mark::Report,
        "i've|i'm|here|here's|here is|here are|turns out|looks like|seems|apparently\
         |unfortunately|somehow|hmm|attached|context|background|error|typeerror|exception\
         |traceback|expected|actual|note to self|the error|the problem|the issue|the bug\
         |i understand|i heard|i'm trying|i am|i'll|i will|the reservation|the order\
         |the departure|the confirmation|the item|the reason|sounds|unfortunately,\
         |what follows|user id|my user|i have|i was|i got|i get|i see|i saw|i think|i guess\
         |i tried|i try|i don't|i didn't|i can't|i couldn't|i can|i could|i need|i just\
         |i found|i noticed|i looked|i know|i believe|i hope|i wonder|i feel|i thought|i did\
         |i do|i had|i never|i always|i forgot|i also|i still|i already|i currently|i really\
         |i sometimes|i often|i mean|i suspect|i suppose|i assume|i wanted|i went|i made\
         |i ran|i read|i wrote|i keep|i would|i am trying|it is|it was|it has|it does\
         |it doesn't|it seems|it looks|it says|it fails|it works|it just|it still|it took\
         |it keeps|it never|it happens|it only happens|it crashes|it runs|that is|that was\
         |that does|that did|that didn't|that works|that fixed|this is|this was|this does\
         |this doesn't|this has|this happens|there was|there were|there seems",
    ),
    (
        Mark::Subject,
        "it's|its|that's|there's|there is|there are|we|we've|we're|he|she|they|they're|my\
         |mine|these|those|you keep|your|i'd|same|i|it|this|last time",
    ),
    (
        Mark::Past,
        "had|been|went|came|got|gave|took|made|saw|said|told|knew|thought|found|broke|wrote|ran\
         |began|ago|yesterday|last week|last night|last month|last year|this morning|already\
         |has failed|have failed|failed|failing|fails|crashes|crashed|crashing|throws|threw\
         |sent|built|forgot|lost|left|felt|kept getting|won|wasn't|weren't|hadn't|haven't\
         |hasn't|used to|chose|became|spent|paid|bought|met|noticed|the whole afternoon|all day\
         |all morning|of course it|seen|heard",
    ),
    (
        Mark::Do,
        "touch|add|fix|create|make|write|build|implement|refactor|rename|remove|delete|update\
         |upgrade|change|move|replace|convert|translate|extract|summari*|compare|draft|compile\
         |book|pull|install|open|read|print|debug|investigate|look|review|search|sort|count\
         |plot|merge|rebase|bump|deploy|push|commit|revert|undo|redo|continue|proceed|retry|try\
         |start|draw|calculate|compute|analy*|describe|design|port|migrate|split|clean|export\
         |import|upload|download|send|email|schedule|cancel|order|exchange|list|show|give|get\
         |fetch|generate|run|execute|find|tell|check|see|help|go|let's go|let's try|let's do\
         |let's add|let's see|let's fix|paste|copy|turn|take|bring up|put together|prepare\
         |set up|set|configure|reformat|rewrite|rework|improve|polish|simplify|shorten|expand\
         |extend|complete|solve|walk|redesign|estimate|evaluate|benchmark|profile|trace\
         |reproduce|restart|reset|scan|inspect|crop|resize|wire|hook|insert|append|highlight\
         |outline|recommend|suggest|brainstorm|proofread|edit|correct|modify|adjust|tweak|tune\
         |switch|transcribe|classify|collect|gather|group|organi*|arrange|map|query|join|filter\
         |drop|load|parse|train|cook|buy|return|refund|call|contact|lookup|google|redraw|tidy\
         |squash|cherry pick|publish|release|ship|cut|i want to|i'd like to|i would like to\
         |need|want",
    ),
    (
        Mark::Ack,
        "yes|yeah|yep|yup|no thanks|ok|okay|k|sure|thanks|thank you|thx|ty|great|perfect|nice\
         |cool|awesome|excellent|good|good morning|good job|good work|well done|hello|hi|hey\
         |hiya|morning|lgtm|looks good|sounds good|right|exactly|agreed|got it|understood\
         |alright|fine|option|done|lovely|brilliant|interesting|wow|oh|ah|huh|ouch|oops|sorry\
         |bye|cheers|that's right|that's correct|that's it|that went|works|have a great\
         |have a good|have a nice|you too|talk to you soon|that's all|that is all|certainly\
         |absolutely|no thank you|not at all|nah|the other one|rerun it|both please",
    ),
    (
        Mark::Lead,
        "please|pls|plz|and|but|so|ok so|now|well|listen|btw|by the way|actually|kindly|oh and\
         |ah and|one more thing|additionally|furthermore|moreover|in addition|however|or|you\
         |then please|i need you to|i want you to|i'd like you to|i would like you to\
         |we need to|let's|go ahead and|your task is to|your job is to|you should just\
         |for now just|first|maybe|perhaps|to be clear|again:|ps|p.s|task|goal|i said|i repeat",
    ),
    (Mark::Branch, "branch|the branch|on branch|to branch|branch called|branch named|branch is"),
    (
        Mark::Money,
        "dollar*|euro|euros|usd|eur|gbp|jpy|cny|krw|brl|chf|inr|bucks|quid|pounds|yen|yuan|rmb\
         |cents",
    ),
    (Mark::Bound, "under|below|within|above|over|between|exceeding|beyond"),
    (
        Mark::Polite,
        "can you|could you|can u|could u|would you|will you\
         |could you possibly|would you mind|would you be able|are you able|is it possible\
         |is there any way|can we|could we|can i|could i|may i|can the|could it|can it\
         |can anything",
    ),
    (Mark::Be, "is|are|being|gets|getting|remains|remain|should be|will be|to be"),
    (Mark::FirstProhibit, "never"),
    (Mark::Beg, "please don't|please do not|please never|pls don't|plz don't|pls dont"),
    (
        Mark::ForbidBe,
        "must not be|mustn't be|must never be|must not ever be|may not be|may never be\
         |shall not be|shall never be|should never be",
    ),
    (
        Mark::ForbidHave,
        "must not have|mustn't have|must never have|may not have|may never have|shall not have\
         |should never have|you should not have|you shouldn't have|you should never have",
    ),
    (Mark::MayBe, "may be|may ever be|must be|must ever be|shall be"),
    (Mark::Why, "why|wonder*"),
    (Mark::That, "that"),
    (
        Mark::AndProhibit,
        "so don't|and don't|but don't|just don't|also don't|or don't|and do not|but do not",
    ),
];
