/** Which damaged records can be removed. Without schemas, because the frame of the console needs it. */

/** The tables of the console whose damaged records administrators can remove: nobody can use such a record. */
export const removableTables: Readonly<Record<string, string>> = {
  people: 'account',
  personal_tokens: 'personal token',
  passkeys: 'passkey',
  sessions: 'session',
  provider_sessions: 'session of a provider',
  connections: 'connection',
}
