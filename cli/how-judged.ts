import type { Check } from '../suites/model/case.ts';

/** What each kind of check looks at, for someone who asks how a verdict came about. */
export const howJudged: Readonly<Record<Check['kind'], string>> = {
  served: 'Passes where at least one of the requests is answered with output.',
  accepted:
    'Passes where the request is answered; judged only where its control, a plain valid request, is answered.',
  optional: 'Passes where a request without the parameter is answered.',
  'accepted-somehow':
    'Passes where one of several spellings of the request is answered; none answered decides nothing.',
  refused:
    'Passes where the request gets no output while its control, which differs in one thing, does. Any refusal will do: status and body are not shown. Connection failures, timeouts, 429 and 502/503/504 prove nothing, but for a status that comes four times in the same words while the control is answered.',
  conflict:
    'The document contradicts itself: which reading the target follows is reported, and neither is failed.',
  'still-served': 'Passes where a valid request still works after the requests that must be refused.',
  'result-fields': 'Reads the field in every result of the protocol that the run got.',
  output: 'Passes where replies carry text.',
  'image-count': 'Counts the elements of data.',
  'image-url': 'Looks for a string url in each element of data.',
  'chat-completion':
    'Reads the reply of the image model on chat as a chat completion whose content is not blank.',
  'token-limit': 'Compares the length of the output with max_tokens.',
  steady:
    'Passes where no valid request is refused as an invalid token is, and answered when it is sent again.',
  unstreamed: 'Passes where every request without stream, or with stream false, gets a single result.',
  stream:
    'Reads the stream from its bytes, whatever its framing: the shape of its events, its text, its end.',
  incremental:
    'Looks at when the text arrived: all of it at the end of a slow generation is buffered, too fast to tell is inconclusive.',
  recall:
    'A random word given as context must come back; up to three attempts, failed only where the control recalls and the probe never does.',
  branch: 'A word said in one branch of a chain must not be known in another.',
  distinct: 'Passes where refusals of the two classes differ in the status or in a stable field of the body.',
  limited: 'Sends with the token whose limit is spent, and with its control.',
  observe: 'The document leaves it open: what the target does is written down, and nothing is failed.',
  undeclared: 'The target declares nothing to test it with.',
};
