/**
 * The content of the sign-in page's address: the one-time token of a sign-in link or an invitation, in its fragment, which
 * never reaches a server log, or the answer of a provider, in its query.
 */
import { basePath, currentPath } from '#console/api/document/basePath.ts'
import { takeReturn, type ProviderReturn } from './providerReturn.ts'

let token: string | null = null
let invitation: string | null = null
let answer: ProviderReturn | null = null

/** Takes it out of the address at once, so that neither history nor a shared screen keeps it. */
export function extractLinkToken(): void {
  const fragment = new URLSearchParams(location.hash.slice(1))
  token = fragment.get('token') || null
  invitation = fragment.get('invitation') || null
  const path = currentPath()
  const [, provider] = /^\/sign-in\/([^/]+)$/.exec(path) ?? []
  answer = provider === undefined ? null : takeReturn(provider, location.search)
  if (answer) return history.replaceState(history.state, '', `${basePath}/sign-in`)
  if (!hasLinkToken()) return
  const { search } = location
  const next = path === '/sign-in' ? search : `?${new URLSearchParams({ next: path + search })}`
  history.replaceState(history.state, '', `${basePath}/sign-in${next}`)
}

/** Gives the token to the one who signs in with it, once. */
export function consumeLinkToken(): string | null {
  const spent = token
  token = null
  return spent
}

/** The token of an invitation, once. */
export function consumeInvitation(): string | null {
  const spent = invitation
  invitation = null
  return spent
}

/** The answer of a provider, once. */
export function consumeProviderAnswer(): ProviderReturn | null {
  const spent = answer
  answer = null
  return spent
}

export const hasLinkToken = () => (token ?? invitation ?? answer) !== null
