import { describe, expect, it } from 'vitest';
import { hasForeignPiece, repeatsOnePiece, runsTogetherAtJoins } from './fragment-joins.ts';

const asked = 'Seven grey herons stood in the shallow water, near the old mill.';
const pieces = ['Seven grey ', 'herons stood ', 'in the shallow ', 'water, near ', 'the old mill.'];
const trimmed = pieces.map((piece) => piece.trim());

describe('words that are run together', () => {
  it('are seen where each blank between two pieces is lost', () => {
    expect(runsTogetherAtJoins(trimmed, asked)).toBe(true);
    expect(runsTogetherAtJoins(['Here it is:', ...trimmed], asked)).toBe(true);
  });

  it.each([
    ['the blanks are there', pieces],
    ['one of them is there', [...trimmed.slice(0, 4), ' the old mill.']],
    ['two pieces meet', ['Seven grey herons', 'stood in the shallow water, near the old mill.']],
    [
      'pieces meet within words only',
      ['Sev', 'en gr', 'ey hero', 'ns stood in the shallow water, near the old mill.'],
    ],
    ['it is another text', trimmed.toReversed()],
  ])('are not where %s', (_, others) => {
    expect(runsTogetherAtJoins(others, asked)).toBe(false);
  });

  it('are not where the reply without a stream has no blank there, either', () => {
    expect(runsTogetherAtJoins(trimmed, trimmed.join(''))).toBe(false);
  });
});

describe('a piece that comes twice', () => {
  it('is seen behind itself', () => {
    for (const [at, piece] of pieces.entries())
      expect(repeatsOnePiece(pieces.toSpliced(at, 0, piece), asked), piece).toBe(true);
  });

  it.each([
    ['no piece comes twice', pieces],
    ['one does before the text', ['Well, ', 'well, ', ...pieces]],
    ['two of them do', pieces.flatMap((piece, at) => (at === 1 || at === 3 ? [piece, piece] : [piece]))],
    ['the rest is another text', ['Seven grey ', 'Seven grey ', 'ducks stood in the shallow water.']],
  ])('is not where %s', (_, others) => {
    expect(repeatsOnePiece(others, asked)).toBe(false);
  });
});

describe('a piece of another text', () => {
  it.each([
    ['once', pieces.toSpliced(2, 0, ': keep-alive ')],
    ['behind each piece', pieces.flatMap((piece) => [piece, ': keep-alive '])],
    ['in an introduced text', ['Here it is: ', ...pieces.toSpliced(2, 0, 'PROCESSING')]],
  ])('is seen amid the text %s', (_, others) => {
    expect(hasForeignPiece(others, asked)).toBe(true);
  });

  it.each([
    ['the text is as it was asked for', pieces],
    ['it stands before and behind the text', ['Well: ', ...pieces, ' That was it.']],
    ['it has no letters', pieces.toSpliced(2, 0, ' - ')],
    ['two others stand amid it', ['And ', ...pieces.toSpliced(2, 0, 'now ').toSpliced(4, 0, 'then ')]],
    ['a piece is lost', pieces.toSpliced(2, 1)],
  ])('is not seen where %s', (_, others) => {
    expect(hasForeignPiece(others, asked)).toBe(false);
  });
});
