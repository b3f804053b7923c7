/** Paths of the gateway for accounts of people. Apart from the others, because the frame of the console needs none of them. */
export const peoplePaths = {
  /** All people, for administrators. */
  people: '/api/people',
  person: '/api/people/{personId}',
  personDisabled: '/api/people/{personId}/disabled',
  /** A new one-time link in which the person chooses a password. */
  personInvitation: '/api/people/{personId}/invitation',
  /** Whom a one-time link invites, before it is used. */
  invitation: '/api/invitation',
  /** The caller's own account. */
  account: '/api/account',
  accountPassword: '/api/account/password',
  tokens: '/api/account/tokens',
  token: '/api/account/tokens/{tokenId}',
} as const
