/** Remembers in this tab why it went to a provider, until the provider sends it back. */

export interface Journey {
  /** Connects the account of the signed-in person, instead of signing in. */
  connects: boolean
  /** The page to open afterwards. */
  next: string
}

export interface ProviderReturn extends Journey {
  /** The ID of the provider, from the path. */
  provider: string
  /** The query: a code or an error. The gateway checks all of it. */
  answer: string
}

const key = 'provider-journey'

/**
 * Only a path of this console: nothing must lead a fresh session elsewhere. Browsers resolve dots and backslashes first, so
 * that `/.//host` becomes `//host`, which names another host wherever it is used as a link.
 */
export function isOwnPath(path: string): boolean {
  if (!/^\/[^\p{Cc}\s]*$/u.test(path) || !URL.canParse(path, location.origin)) return false
  const { origin, pathname } = new URL(path, location.origin)
  return origin === location.origin && !pathname.startsWith('//')
}

/** Goes to a provider. */
export function leaveFor(url: string, journey: Journey): void {
  sessionStorage.setItem(key, JSON.stringify(journey))
  location.assign(url)
}

export function takeReturn(provider: string, answer: string): ProviderReturn {
  const { connects, next } = storedJourney()
  sessionStorage.removeItem(key)
  const isPath = typeof next === 'string' && isOwnPath(next)
  return { provider, answer, connects: connects === true, next: isPath ? next : '/' }
}

function storedJourney(): { [name in keyof Journey]?: unknown } {
  try {
    return Object(JSON.parse(sessionStorage.getItem(key) ?? '{}'))
  } catch {
    return {}
  }
}
