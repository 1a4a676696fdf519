import { given, present } from '../../spec/present.ts';

const consentLine = /^Consent: (\S.*), (\d{4}-\d\d-\d\d)$/m;
const expiryLine = /^Expires: (\d{4}-\d\d-\d\d)$/m;
const howTo = /^#+ How to reproduce\n+(?!#)\S/m;

/** What the owner of a product says beside a result, in its README: consent, the last day in the list. Pure. */
export function ownerWords(readme: string) {
  const text = readme.replaceAll('\r\n', '\n');
  const [, by, day] = consentLine.exec(text) ?? [];
  const [, expires] = expiryLine.exec(text) ?? [];
  const consent = by === undefined || day === undefined ? undefined : { by, day };
  return given({ consent, expires, isReproducible: howTo.test(text) });
}
export type OwnerWords = ReturnType<typeof ownerWords>;

/** Why a result may not be listed by what its owner says, a sentence each. */
export const ownerProblems = ({ consent, expires, isReproducible }: OwnerWords, today: string) =>
  present([
    !consent && 'README.md has no consent of the owner: add the line `Consent: NAME, YYYY-MM-DD`',
    consent && consent.day > today && `README.md has a consent of ${consent.day}, which is in the future`,
    expires === undefined &&
      'README.md does not say until when it is listed: add the line `Expires: YYYY-MM-DD`',
    expires !== undefined && expires < today && `it expired after ${expires}: take it out, or run again`,
    !isReproducible && 'README.md does not say how to reproduce it: add `## How to reproduce`',
  ]);
