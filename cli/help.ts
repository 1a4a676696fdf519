const exitHelp = `
Exit codes:
  0  conformant
  1  non-conformant
  2  usage or config error
  3  could not be judged: unreachable, stopped, nothing tested, or a stated or derived
     requirement inconclusive`;

export const mainHelp = `
Start here:
  $ gateway-conformance demo     judge the reference gateway that comes along
  $ gateway-conformance init     write a config for your gateway
  $ gateway-conformance plan     what would be sent, and what it costs
  $ gateway-conformance run      judge your gateway
${exitHelp}`;

export const runHelp = `
Examples:
  $ gateway-conformance run
  $ gateway-conformance run --config staging.yaml --out reports/staging
  $ gateway-conformance run --suite authentication,errors --family general
  $ gateway-conformance run --requirement chat.result.usage.total-tokens
  $ gateway-conformance run --certify --sign conformance-key.pem

DIR then holds report.html (for people), report.json (for machines), report.md, junit.xml,
evidence.jsonl (every exchange; \`judge\` gives the verdicts from it again) and
allure-results/. Tokens stand in none of them. The gateway may bill what it generates:
\`plan\` tells how much that is.
${exitHelp}`;

export const judgeHelp = `
Examples:
  $ gateway-conformance judge conformance-report/evidence.jsonl
  $ gateway-conformance judge conformance-report --out judged-again
${exitHelp}`;

export const verifyHelp = `
Examples:
  $ gateway-conformance verify conformance-report --key conformance-key.pub.pem
  $ gateway-conformance verify conformance-report

Exit codes:
  0  nothing disagrees; the last line says whether it is certified, and whether the signature
     was checked
  1  something was changed: a file, a verdict, an exchange, the certificate
  2  usage error, or no report and evidence that could be read
  3  verdicts differ, and another version of the suite judged then`;

export const keygenHelp = `
Example:
  $ gateway-conformance keygen --out conformance-key
  $ gateway-conformance run --certify --sign conformance-key.pem`;

export const gatewayHelp = `
Examples:
  $ gateway-conformance gateway
  $ gateway-conformance gateway --port 0 --pace 20
  $ gateway-conformance gateway --console my-console.yaml`;
