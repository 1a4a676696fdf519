// A fixed list, so that what is masked depends on the token alone. A test names the words that it lacks.

/** Words of at least four letters that requests, reports and evidence hold whatever the target; no word stands in another. */
export const reportWords = `
files additions probes provisional goes stricter newest internals insides stack traces addresses smallest unfinished smaller cuts tried yaml things encodings slug examples conversations began besides chooses official mixed outages passing speaks twenty about above absent absolute accepted accepts access account acell acfce achat actual added
addeventlistener additionalproperties address adjust advice advises aebb affair afterms against agent
aimages alike align alive allof allowed allows alone along also always ambiguities ambiguity amessages amid among ampersand
anchor angle annotations another answered answers anthropic anygroup anything anywhere apache apart apikey
appears appends apple application appname aresponses arial around arrivals arrives ascii asks assistant
async attempts authentication authorization automationdetails availability avoid await axis background backslash bare baseline
baseurl basic bcfd bearer before beginning behaviour behind being belongs below beside between beyond
bidi billedgenerations bitstream blamed blanks blocks bodies boolean border both bottom bounded bounds brackets
branches breaks brief brings broad budget buffered buttons bytes cache calc caller came cannot carried
carries cascadia cases catalogue catch causes cbae cbca cbcc center chained chaining challenge changed
channels characters charset charter chatchunk chatcmpl chatcompletion chatrequest chip choices chosen
chunked chunks circle clash classes classname clear click clients clipboard clock closest codes codeunits
colgroup collapse colour colspan columnkind columns combinations comes comments compared completed
completions complex components compressed condition configkeys configured confirm conflicting conflicts conformance
conformant conforming connection consolas console constant contains contents context contract
contradictions contradicts control conversational copied copy core could counter counts covers created
createelement creates creation credentials cross ctrf currency currentcolor cursor dadc daecddd damaged
dark dasharray dataset date dbde dbebeface dccccb decf decides decisive declaration declared declares
declined decodeuricomponent decoration defaultconfiguration defaults deflate defs dejavu delayed demands
depends deprecation derived described describes device dffb differs display distinct doctype documented
does done draft draw driver duration during dwell earlier ebfa eced eeaf effd effect elements elsewhere emoji
empty enables encoding ended endms endpoints endtimeutc enforced enough enum environment equals equiv
errors estimated events everybody everything evidence exactly exceeded exceeds except excerpt exchanges
excluded excludes execcommand executionsuccessful exists expectation expected explain explore extensions
extra factors facts failed failing failures false families family fast fbba fcbcb fcebec fetched fewer
fields figcaption file fill filters findings finds fingerprint finishedat first flex flight float focus
folder followed follows font footer forbid forgets forms fraction fragment fragments frames framing free
from front fulldescription further furthermodels garbled gateway gateways gaveup general generatedby
generates georgia getelementbyid getselection gives goat greatest grid groups gzip happened happens
hashchange have headersms headings height held hello help helvetica hidden higher history holds hover
however href html https identifier identifies imagerequest imageresult imageurlresult impact important
included includes inclusive incomplete inconclusive incrementally increments inference info inherit
initial inline input inset inside installed instructions intact integer interface interfaces internal
interop invalid invocations iowan iserror isolate issued itself jggtwosi joined joining joins jsonl jsoo
judged judges justify keeps kept keys killed kinds knowledge knows label lacks lang large last later latest layout
lead least leaves left lenient less lets letters levels liberation library license lifecycle lifetime
like limits link linotype listed lists literal location logins longer longest looks lost lower made
magnitude main makes malformed many margin markdown marker marksman masked matches matrixcell matter
maximum maxitems means meant media meets members memory menlo messageresult messagesrequest meta method
middle milliseconds minimum minitems minlength minmax missing models modules monospace more mortise most
moved much multimodal must named names narrator narrower navigator ncurl ndata near nearest needed needs
neither neue nevent never next node none nongating normal notes nothing notices notrun nowrap null number
numbers numeric nums nyzho object objects observable observations observed occurs offers offset often once
oneof ones only opacity openapidigest operationid opposing optional optionally orders originaluribaseids
orphans others otherwise outline outputmessage outside overflow oversize owner packages padding pages
pair palatino panel paper parameters parentelement parser partial parts party passed paths pattern pause
pays pick picture pinned pins pixels place places planned please pointer policy polite position post
prefers prefixed prefixitems present preserveaspectratio preventdefault previous prices printed probed
profile programs progress prohibition prompt property protocols proves provoked proxystatus purpose push quality
queryselectorall question quiet quotas quotation radius randomness range ranges ratelimited rawstatus reaches
readable readings reasoning reasons recalled recalls receives recognised recognises recorded records rect
reference referrer refusal refused refuses region register rejected relation relative rely repeats
replies reply reported reportformat reproduce requestbody requests required requirementsdigest requires
resend reset resource responsesevent responsesrequest responsesresult rests results retryreason returned
returns reveal right roboto role roles root route rowgroup rowspan ruled rules runid runs said same
sample sans sarif saying says scale scaling schemastore schemaversion scope screen scripts scrollintoview
sdjaaaaaelftksuqmcc sections securityschemes seed seen segoe selectallchildren selects semanticversion
sends sense sentences separately sequence serif servers serves service setaside settimeout settles
several shapes shard shortdescription shortened shorter should shown shows sign silence silent since
single sizing skipcostly skipped slice slow small smoke solid someone something spacing speaks specific
specversion spelled spending spent split squares stable stallms standard stands startedat starttimeutc
stated statements states statuses sticky still stopped streamed streaming streams strict string stroke
style subject submit subscribe such suffix summary sums supports swapped system tabindex tables tabular
tagname tags taken takes targetgivenup tells temperature template terminator testcase testsuites
textcontent textdelta textlength textlimits tfoot thank that thead their them there these they thickness thinks
third this those though three through timed timestamp timing title together tokens told tolerance tool
total trace traffic transfer transient transitions transparent transport tried tries true trying typed
types unanswered unchanged undecided undecodable underline undisturbed unevaluatedproperties unfold unicode
uniqueitems unix unknown unless unobserved unreachable unsentreason unspecified unsteady unsupported
untested upper urls usable usage users values variables variant vector vendor verdana verdicts
versionheader versioning versions vertical viewbox viewport visibility visible waitedms waiting wanted
wear webhooks webkit weight whatever when whether which while white whoever whole whom whose widows width
will window within without wjdrlqnz words works would writetext writing written wrong wsefpljjdr xmlns
yields your
`;

/** Names and values with other characters than letters that they hold. */
export const reportNames = `
nothing-left-out not-always not-sent not-tried rate-limited
/v1/chat/completions /v1/images/generations /v1/messages /v1/responses 1024x1024 1024x1792 1792x1024
2023-06-01 256x256 512x512 accept-encoding anthropic-version application/json
attempt-before-not-answered b64_json base64 bodies-in-flight charset=utf-8 chat-image chat.completion
chat.completion.chunk coding-tool completion_tokens confirm-failure confirm-refusal
confirm-refusal-with-retry-after content-encoding content-length content-type duration-spent
finish_reason gateway-conformance header-bytes header-count inference-gateway-conformance input_text
cut-document mistake-found passing-refusal text-refused wrong-scheme internal-error keep-alive lock-out max_tokens model-behaviour no-model-declared no-near-miss no-reply-in-time
no-token-declared non-conformant not not-answered output_text previous_response_id prompt_tokens
reading-error recalled-before reply-lacks response.output_text.delta response_format retry-after
retry-after-too-long retry-after-without-control role":"assistant role":"user sent stand-in-not-needed
stream-was-clear taken-before target-given-up text/event-stream text/html text/plain third-party-client
timing-was-undisturbed too-complex too-fast top_p total_tokens user-agent utf8 waited-enough x-api-key
base-address not-compared tokens-exchanged same-token token-not-told model-not-told stopped-answering endpoint-absent endpoint-unanswered family-not-served limit-hit model-not-known
no-answer-in-time no-usable-reply not-asked not-decided not-declared not-refused not-shown
budget-spent parameter-not-supported requirement-broken result-field-broken run-stopped stream-not-offered token-not-accepted
live-traffic other-path outside-contract undeclared-model unsupported-cell client-left not-connected too-large
other-coding not-recorded
invalid-token spent-token unknown-model
`;
