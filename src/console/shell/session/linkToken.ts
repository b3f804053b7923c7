/** The one-time token of a sign-in link, in the address's fragment: it never reaches a server log. */
let token: string | null = null

/** Takes the token out of the address at once, so that neither history nor a shared screen keeps it. */
export function extractLinkToken(): void {
  const found = new URLSearchParams(location.hash.slice(1)).get('token')
  if (!found) return
  token = found
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

export const hasLinkToken = () => token !== null
