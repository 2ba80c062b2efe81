import { describe, expect, test } from 'vitest';
import { pages } from './markdown.ts';

const guides = pages().filter(({ path }) => path.startsWith('docs/how-to/'));

/** Statements that users of client libraries depend on, with the words that one guide has together. */
const statements: readonly (readonly [title: string, words: readonly string[]])[] = [
  [
    'CL53: the clients that expect RS256',
    ['signed by ES256', 'express-openid-connect', 'Spring Security', 'social-auth'],
  ],
  ['CL68: messages between windows are not simulated', ['`web_message`', 'storage access', 'not simulated']],
  ['CL84: session management has to be switched off', ['`check_session_iframe`', 'not simulated', 'switch it off']],
  ['CL88: the profile function that works offline', ['profile: (', 'a photo from a fixed address of the provider']],
  ['CL89: the sign-out of msal-browser', ['`idTokenHint`', '`id_token_hint`']],
  ['CL89: the revocation of simple-oauth2', ['simple-oauth2', '`http: { json: true }`']],
  ['DIR92: what two dialects differ in', ['differ in names', '`reconfirmationInDays`', '`QRCodePin`']],
];

describe('docs: statements about clients', () => {
  test.for(statements)('%s', ([, words]) => {
    const found = guides.filter(({ text }) => words.every((word) => text.includes(word)));
    expect(found.map(({ path }) => path)).not.toEqual([]);
  });

  test('docs: a statement that no guide has is not found', () => {
    expect(guides.filter(({ text }) => text.includes('`http: { json: strict }`'))).toEqual([]);
  });
});
