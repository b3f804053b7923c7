/** Sign-in with providers and passkeys: apart from the session, because the frame of the console needs none of it. */
import type { z } from 'zod'
import type { Session } from '#contract/console/connections.ts'
import type { passkeyProof, passkeyRequest, providerProof } from '#contract/console/people.ts'
import { peoplePaths } from '#contract/console/peoplePaths.ts'
import { send } from '../send.ts'
import { startSession } from '../session.ts'

/** Starts a sign-in with a provider. @returns where to go */
export function startProviderSignIn(providerId: string): Promise<{ url: string }> {
  return send(peoplePaths.providerSignIn.replace('{providerId}', encodeURIComponent(providerId)), {
    method: 'POST',
    body: {},
  })
}

/** Signs in with what the provider sent back. */
export function finishProviderSignIn(proof: z.infer<typeof providerProof>): Promise<Session> {
  return startSession(proof)
}

/** Connects the account that is signed in with a provider. */
export async function connectProvider(proof: z.infer<typeof providerProof>): Promise<void> {
  await send(peoplePaths.accountProviders, { method: 'POST', body: proof })
}

/** The browser's options to ask for a passkey, as the WebAuthn library has it. */
export function startPasskeySignIn<T>(request: z.input<typeof passkeyRequest>): Promise<T> {
  return send<T>(peoplePaths.passkeySignIn, { method: 'POST', body: request })
}

export function finishPasskeySignIn(proof: z.input<typeof passkeyProof>): Promise<Session> {
  return startSession(proof)
}
