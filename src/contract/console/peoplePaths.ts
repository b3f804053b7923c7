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
  passkeys: '/api/account/passkeys',
  /** The browser's options to create one. */
  passkeyOptions: '/api/account/passkeys/options',
  passkey: '/api/account/passkeys/{passkeyId}',
  /** POST starts to connect the account to a provider, DELETE disconnects it. */
  accountProvider: '/api/account/providers/{providerId}',
  /** Connects the account with what the provider sent back. */
  accountProviders: '/api/account/providers',
  /** Starts a sign-in with a provider: the address to go to. */
  providerSignIn: '/api/sign-in/providers/{providerId}',
  /** The browser's options to sign in with a passkey. */
  passkeySignIn: '/api/sign-in/passkey',
  /** The sessions of all people, for administrators. */
  allSessions: '/api/all-sessions',
  anySession: '/api/all-sessions/{sessionId}',
  /** Providers report here that somebody signed out (OpenID Connect back-channel logout). */
  backChannelSignOut: '/sign-out/{providerId}',
} as const
