/** The failure of a provider, in a sentence that says who can fix it. */
import * as client from 'openid-client'
import { ConnectError } from '#node/upstream/egressGuard.ts'
import { failure, ApiFailure } from '#node/upstream/apiFailure.ts'
import { TooLarge } from './providerFetch.ts'
import type { ProviderSettings } from './providerSettings.ts'

/** Sentences about errors that the person caused or can solve, by OAuth error code. */
const refusals: Readonly<Record<string, string>> = {
  access_denied: 'refused the sign-in. You may have cancelled it, or may not use this application.',
  login_required: 'asks you to sign in there first. Try again.',
  interaction_required: 'asks for something that it could not show. Try again.',
  consent_required: 'asks for your consent. Try again.',
  temporarily_unavailable: 'is not available at the moment. Try again later, or sign in otherwise.',
  server_error: 'had an internal error. Try again later, or sign in otherwise.',
  invalid_client: 'does not accept the client ID or secret of this console. An administrator has to correct them.',
  unauthorized_client: 'does not allow this console to sign people in. An administrator has to register it there.',
  invalid_scope: 'does not know a scope that this console asks for. An administrator has to correct "scopes".',
  invalid_grant: 'did not accept its own sign-in any more: it was used before, or is too old. Start again.',
}

/** @returns an error with a sentence; anything unknown stays as it is */
export function explainProviderError(error: unknown, { label }: ProviderSettings): unknown {
  if (error instanceof ApiFailure) return error
  const refused = (sentence: string) => failure('signedOut', `${label} ${sentence}`)
  if (error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError) {
    const known = Object.hasOwn(refusals, error.error) ? refusals[error.error] : undefined
    return refused(known ?? `refused the sign-in (${plain(error.error)}).`)
  }
  if (error instanceof client.WWWAuthenticateChallengeError) return refused(refusals['invalid_client'] ?? '')
  const unreachable = connectionProblem(error)
  if (unreachable !== undefined) {
    return failure('unreachable', `${label} cannot be reached: ${unreachable}. Try again later, or sign in otherwise.`)
  }
  if (error instanceof client.ClientError) {
    return refused(faults[error.code ?? ''] ?? `sent a response that this console does not accept (${error.code}).`)
  }
  return error
}

/** The ends of sentences about responses that the library rejects, by its error code. */
const faults: Readonly<Record<string, string>> = {
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED:
    'sent a token that is too old or not valid yet. The clocks of the provider and of this console differ: an administrator has to correct them.',
  OAUTH_JWT_CLAIM_COMPARISON_FAILED:
    'sent a token that is not for this sign-in, or not for this console. Start again; if it happens again, an administrator has to check issuer and client ID.',
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED:
    'calls itself by another issuer than the configuration of this console. An administrator has to correct "issuer".',
  OAUTH_KEY_SELECTION_FAILED: 'signed with a key that it does not publish.',
  OAUTH_RESPONSE_IS_NOT_CONFORM:
    'did not respond as OpenID Connect providers do. An administrator has to check "issuer".',
  OAUTH_RESPONSE_IS_NOT_JSON: 'did not respond as OpenID Connect providers do. An administrator has to check "issuer".',
  OAUTH_INVALID_RESPONSE: 'sent a response that does not belong to this sign-in. Start again.',
  OAUTH_TIMEOUT: 'did not respond in time. Try again later, or sign in otherwise.',
  OAUTH_HTTP_REQUEST_FORBIDDEN: 'has an address without https, which is not allowed.',
}

/** Why there was no response; undefined for any other error. Looks for causes, since libraries wrap connection errors. */
function connectionProblem(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ConnectError) {
      return cause.code === 'PRIVATE_ADDRESS'
        ? 'it has a private address, which its configuration does not allow (allowPrivate)'
        : `the connection failed (${cause.code})`
    }
    if (cause instanceof TooLarge) return 'its response is too large'
    if (cause.name === 'TimeoutError' || cause.name === 'AbortError') return 'it did not respond in time'
    if ('code' in cause && String(cause.code).startsWith('UND_ERR'))
      return `the connection failed (${String(cause.code)})`
  }
  return undefined
}

/** Removes all but harmless characters from a text that a provider, or an attacker, chose. */
function plain(text: string): string {
  return text.replaceAll(/[^\w.-]/g, '').slice(0, 60) || 'unknown error'
}
