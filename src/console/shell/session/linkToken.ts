/** The one-time token of a sign-in link or of an invitation, in the address's fragment: it never reaches a server log. */
let token: string | null = null
let invitation: string | null = null

/** Takes the token out of the address at once, so that neither history nor a shared screen keeps it. */
export function extractLinkToken(): void {
  const fragment = new URLSearchParams(location.hash.slice(1))
  token = fragment.get('token') || null
  invitation = fragment.get('invitation') || null
  if (!hasLinkToken()) return
  const { pathname, search } = location
  const next = pathname === '/sign-in' ? search : `?${new URLSearchParams({ next: pathname + search })}`
  history.replaceState(history.state, '', `/sign-in${next}`)
}

/** Gives the token to the one who signs in with it, once. */
export function consumeLinkToken(): string | null {
  const spent = token
  token = null
  return spent
}

/** The same for an invitation. */
export function consumeInvitation(): string | null {
  const spent = invitation
  invitation = null
  return spent
}

export const hasLinkToken = () => (token ?? invitation) !== null
