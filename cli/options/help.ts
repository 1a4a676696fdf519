const exitHelp = `
Exit codes:
  0  conformant
  1  non-conformant
  2  usage or config error
  3  could not be judged: unreachable, nothing tested, a stated or derived requirement
     inconclusive, or stopped before anything failed`;

const failOnHelp = `
With --fail-on, only failures of the impacts that it names make exit code 1:
  client      a client that keeps to the interface breaks
  credential  someone gets in, or pays, who should not
  lenient     the gateway takes more than the interface allows; no conforming client notices
  own         also failures of what --extend states, of the impacts beside it or, alone, of all
Where only others fail, the exit code is the one without them: 0, or 3 where something stated or
derived is inconclusive, nothing passed, or the run was stopped. Verdict and files stay as they are.`;

const profileHelp = `
Profiles:
  smoke     each endpoint and family, the shape of streams, missing and invalid tokens, unknown
            models: 12 billed generations at most; --max-generations sets another limit, for a gateway
            that refuses by a status which may pass as an overload, whose controls take more
  standard  all that can fail, and what else costs no further generation (the default)
  full      everything, and 16 short generations at once (fewer where --concurrency is lower)
What a profile leaves out is untested, with that reason.
--explore N asks N more random combinations of text requests, every second one wrong in one
thing, to find what breaks only where several settings meet. The seed gives the same ones again.`;

const limitsHelp = `
Limits (also in the config: limits: { maxRequests, maxGenerations, maxCost, requestsPerMinute }):
A budget is reserved before a request is sent. When the rest does not cover the next request, the run ends
and what is left is inconclusive. Requests that must be refused may be answered: they are sent only while
what they may be billed for is left. --max-cost needs prices in the config, tokens per million and images each:
  prices: { default: { input: 2.5, output: 10 }, image: { image: 0.04, hd: 0.08 } }
A run at 60 requests a minute takes about ten minutes: \`plan\` says how long, and whether --max-duration
is enough.`;

export const planHelp = `${profileHelp}
${limitsHelp}
Where a family of the config lists several models, a line for each family says what its first model
and those behind it come to. Without --profile, a line for each profile follows. With --repeat N, a line says what
N runs come to, and the limits are those of all of them.`;

export const checkHelp = `
Says of each token, model and endpoint of the config whether the gateway accepts it, refuses it as it refuses what
was invented, or leaves it open; and what follows for the config: tokens exchanged, another scheme, a login page, a
proxy. At most 8 generations are billed. \`run\` begins with the same requests.

Exit codes:
  0  all that is declared is accepted or known
  1  nothing is wrong with the config, and an endpoint answers no valid request
  2  usage or config error
  3  a mistake in the config, or nothing that tells`;

export const mainHelp = `
Start here:
  $ gateway-conformance demo     judge the reference gateway of this package
  $ gateway-conformance init     write a config for your gateway
  $ gateway-conformance check    whether the gateway knows what the config declares
  $ gateway-conformance plan     what would be sent, and what it costs
  $ gateway-conformance run      judge your gateway
${exitHelp}`;

export const runHelp = `
Examples:
  $ gateway-conformance run
  $ gateway-conformance run --config staging.yaml --out reports/staging
  $ gateway-conformance run --profile smoke
  $ gateway-conformance run --profile full --explore 200
  $ gateway-conformance run --suite authentication,errors --family general
  $ gateway-conformance run --requirement chat.result.usage.total-tokens
  $ gateway-conformance run --certify --sign conformance-key.pem
  $ gateway-conformance run --baseline gateway-conformance.baseline.yaml
  $ gateway-conformance run --fail-on client,credential
  $ gateway-conformance run --extend gateway-extension.yaml
  $ gateway-conformance run --resume conformance-report
  $ gateway-conformance run --last-failed conformance-report --out again
  $ gateway-conformance run --shard 2/3 --seed 7 --out shard-2
  $ gateway-conformance run --repeat 50

DIR then holds report.html (for people), report.json (for machines), report.md, junit.xml,
report.sarif, ctrf-report.json, badge.svg, badge.json, evidence.jsonl (every exchange;
\`judge\` judges it again) and allure-results/, unless --no-allure leaves it out. In a job of GitHub the failures
are annotated too, and report.md is appended to the summary of the step. No file holds a token.
The gateway may bill what it generates: \`plan\` shows how much.
${profileHelp}
${limitsHelp}

A run begins with what \`check\` sends, and stops where that shows a mistake in the config: nothing fails and nothing
passes for it, and the exit code is 3. --keep-going sends the rest all the same.

With --resume DIR, a run that was stopped or killed goes on: what its evidence holds is not sent again, only what was
under way. Seed, profile, selection and shard are those of the run; another target or suite version is an
error. A run that was finished is judged again, and nothing is sent.
Its budgets count what is sent from then on.

With --last-failed DIR, a run asks again only what failed or is undecided in the report of DIR: the cases of those
requirements and what these need. Undecided requirements that do not gate are left out, and --only-causes keeps those of
the causes named, by their ids in report.json. The report says FIXED or STILL FAILING for each; \`judge DIR --again NEW
--out MERGED\` makes one report of both. The requests are those of the earlier run, byte for byte: empty a cache of
replies first. DIR must be of a whole run of this target and suite version; --out names another folder. Where
nothing is to be asked again, nothing is sent, and the exit code is 0.

With --shard i/n, a run asks one of n parts of the cases, each on a machine of its own; its report says so and
is of that part alone. All shards need the same --seed, and each run another one. Each shard sends what
discovery needs, and the valid requests that its cases rest on: of a conformant target, three shards in
standard are billed for about 99 generations in all, one run for 64 (\`plan --shard i/n\` shows the most that each
may be). A baseline, pins, a history or a certificate are for the merged report, and so is a verdict on the whole.

With --repeat N, the gateway is judged N times, each time with the next seed. Each run is written to DIR/runs/NUMBER,
and the report of all to DIR: each requirement as its worst run has it, with how often it failed and the exchanges
that show it. Verdict and exit code are the worst of all runs. Limits hold over all runs together. A run that is
stopped is the last one. A baseline, pins and a history are for the report of all; there are no allure-results/.

With --baseline, 1 means a failure that is new, or an entry that is stale, expired or unmatched. An entry
for an inconclusive requirement makes it non-gating.
Expected failures are skipped in junit.xml and ctrf-report.json, suppressed in report.sarif, muted in
allure-results/ and a notice on GitHub; the verdict does not change. An entry that is stale or
unmatched fails in junit.xml and ctrf-report.json, in a suite of its own. render-context.json records
the baseline, pins and history behind these files. With --history, the report shows the latest runs.

With --extend FILE, also in the config as extend: [FILE], a second run asks what the gateway states beyond the
interface, as FILE says it (\`init --extend\` writes one), and writes its results to DIR/own. Verdict, counts and
certificate of the interface stay what they are; the exit code is the worse one of both.

With --interop, official clients (openai, @anthropic-ai/sdk, ai with its two providers) ask, too, when the
run is over: those that are installed. What they meet is in the report, and no verdict depends on it;
\`plan --interop\` shows what it costs.

With --pins, 1 also means that a pinned behaviour changed; the verdict does not depend on it. A pin that
this run could not observe is named, and fails nothing.
${failOnHelp}
A new or expired failure counts with --baseline only where its impact is named; an entry that is stale or
unmatched always does. --certify still needs a conformant verdict: without one, the exit code is never 0.
${exitHelp}`;

export const mergeHelp = `
Examples:
  $ gateway-conformance run --shard 1/2 --seed 7 --out shard-1     # on one machine
  $ gateway-conformance run --shard 2/2 --seed 7 --out shard-2     # on another
  $ gateway-conformance merge shard-1 shard-2 --out conformance-report

The report is that of one run with this seed. DIR holds what a run writes, without allure-results/.
All shards must be there, of one target, suite version, seed, profile and selection. Where one was killed,
\`run --resume\` it first; else the report is partial. --certify certifies the merged report, and its certificate
names the run of each shard.
${exitHelp}`;

export const proxyHelp = `
Examples:
  $ gateway-conformance proxy --port 4010
  $ gateway-conformance proxy --config staging.yaml --port 4010 --out reports/live --every 5m

Give http://127.0.0.1:4010 to your clients in place of the gateway (to the openai client with /v1). They
keep their own tokens, which are written nowhere: a token of the config is named by its variable, any
other by a label. Nothing is altered but headers of the connection and Host; what one side does (read slowly,
hang up) the other one sees. A reply of the proxy itself has the header x-conformance-proxy.

Judged are answers to requests that keep to the interface, of models that the config names: their fields,
counts, streams, and that they were served. What clients do wrong fails nothing, nor does a refusal, for
there is no control; both are counted. A stream that the gateway cuts fails once two were cut. What the
traffic does not show is untested. A few exchanges of each kind are kept, and more of those that fail; the
rest is judged and counted. DIR gets the same files as from \`run\`: at Ctrl-C, and with --every on the way.
${exitHelp}`;

export const judgeHelp = `
Examples:
  $ gateway-conformance judge conformance-report/evidence.jsonl
  $ gateway-conformance judge conformance-report --out judged-again
  $ gateway-conformance judge conformance-report --fail-on client
  $ gateway-conformance judge conformance-report --again again --out conformance-report
  $ gateway-conformance judge conformance-report --pins gateway-conformance.pins.yaml

With --pins, 1 also means that a pinned behaviour changed. A baseline is not part of the evidence: exit code and
files show the verdicts without it. A DIR of --repeat is judged from the evidence of all its runs.
With --again, the evidence of \`run --last-failed\` takes the place of what it asked again, and --out gets the
evidence of both with the report. It must be the same target, suite version and run.
${failOnHelp}
${exitHelp}`;

export const explainHelp = `
Examples:
  $ gateway-conformance explain chat.result.usage.total-tokens
  $ gateway-conformance explain max_tokens integer
  $ gateway-conformance explain images.quality.allowed.other
  $ gateway-conformance explain --section 4.2 --level stated
  $ gateway-conformance explain --impact credential`;

export const diffHelp = `
Examples:
  $ gateway-conformance diff reports/1.4 reports/1.5
  $ gateway-conformance diff reports/1.4/report.json reports/1.5 --out changes.html

Exit codes:
  0  no regression
  1  a stated or derived requirement fails now, or passed before and is inconclusive now
     (where a report is of several runs: so much more often that it is not chance)
  2  usage error, or no report that could be read`;

export const compareHelp = `
Examples:
  $ gateway-conformance compare reports/acme reports/other reports/third --out compared.html
  $ gateway-conformance compare reports/1.4 reports/1.5 --format markdown`;

export const resultsHelp = `
Examples:
  $ gateway-conformance results check results
  $ gateway-conformance site --results results --out public

A result is RESULTS/VERSION/PRODUCT/RELEASE/ with two things: bundle/, the unmodified folder of a run, and README.md with
the lines "Consent: NAME, YYYY-MM-DD" and "Expires: YYYY-MM-DD" and a section "## How to reproduce". VERSION is that of
the statements. PRODUCT/key.pub.pem is the key that certificates of the product are signed with, and
RESULTS/links.yaml says where failures are tracked: links: [{ product, requirement, url }]. Links, strange names,
and the same run twice have no place there.

Exit codes:
  0  every bundle is as it was recorded, and its verdicts follow from its evidence
  1  a result was edited, is partial or expired, or its owner does not say that it may be listed
  2  usage error, a folder of another form, or a bundle of other statements than its folder says
  3  another version of the suite judged a result: check it with that version`;

export const siteHelp = `
Examples:
  $ gateway-conformance site reports/* --out public
  $ gateway-conformance site reports/acme-1.4 reports/acme-1.5 reports/other --out public

Runs of the same name or base address are one gateway. The site needs no server and no network: open
SITE/index.html, or host the folder. Nothing is written where a DIR has no report, two DIRs have the same
run, or SITE holds files that \`site\` did not write; a site that was made before is replaced.
With --results, a folder of results is checked as \`results check\` does, and the site begins with what differs. In each site
lies verify.html: a page that checks a bundle in the browser, and sends nothing.`;

export const baselineHelp = `
Examples:
  $ gateway-conformance baseline update
  $ gateway-conformance baseline update --baseline known.yaml --report reports/staging
  $ gateway-conformance run --baseline known.yaml`;

export const pinHelp = `
Examples:
  $ gateway-conformance pin update
  $ gateway-conformance pin update --pins pins.yaml --report reports/staging
  $ gateway-conformance pin update --requirement chat.stream.framing,errors.status
  $ gateway-conformance run --pins gateway-conformance.pins.yaml

A new file gets all that the report shows and that stays the same from run to run: status and shape of
refusals, framing, terminator and event types of streams, content types, further fields, and which groups
serve what. Times, counts, texts and what a model says are not pinned. A file that has pins keeps its
choice: only their values change, unless --suite, --requirement, --family or --group select more.
Remove an entry to let its behaviour change.`;

export const extendHelp = `
Examples:
  $ gateway-conformance extend --from-report conformance-report
  $ gateway-conformance extend --from-report reports/monday reports/tuesday --out ours.yaml
  $ gateway-conformance run --extend gateway-extension.yaml

What all replies of a kind have in all of these runs becomes a statement, with a comment that names what shows it:
statuses, content types, bodies of refusals, types of events, what ends a stream, and headers that are never the same.
Times, texts and what a model says are not proposed.`;

export const verifyHelp = `
Examples:
  $ gateway-conformance verify conformance-report --key conformance-key.pub.pem
  $ gateway-conformance verify conformance-report
  $ gateway-conformance verify conformance-report --against my-access.yaml --sample 12

With --against, a random sample of the recorded exchanges is sent once more to the gateway of a config of your own,
with your tokens, which may have another address: refusals first, which cost nothing, and one answer in four; what it
costs is said before. What the verdicts rest on is compared: answered or refused, status and class of a refusal,
fields of a result, events of a stream; not texts, ids or times. What differs is shown with both replies and a curl
command. It shows what the gateway does today with these requests, and proves nothing of others.

Exit codes:
  0  everything agrees; the last line says whether the folder is certified, and whether the
     signature was checked; with --against, all of the sample is answered as it was
  1  a file, a verdict, an exchange or the certificate was changed, or the gateway answers otherwise
  2  usage error, or no report and evidence that could be read
  3  verdicts or renderings differ, but another version of the suite made them; or a part of the
     sample could not be asked`;

export const keygenHelp = `
Examples:
  $ gateway-conformance keygen --out conformance-key
  $ gateway-conformance run --certify --sign conformance-key.pem`;

export const gatewayHelp = `
Examples:
  $ gateway-conformance gateway
  $ gateway-conformance gateway --port 0 --pace 20
  $ gateway-conformance gateway --console my-console.yaml`;
