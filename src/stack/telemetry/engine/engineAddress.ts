/** Where the engine is, without its password. */
export interface EngineAddress {
  /** The URL without credentials and database; empty for the embedded engine. */
  host: string
  username: string
}

export const embeddedAddress: EngineAddress = { host: '', username: '' }

/** @param url of the server or cluster, which may contain credentials */
export function engineAddress(url: string): EngineAddress {
  const { origin, username } = new URL(url)
  // The user that the client takes if the URL names none.
  return { host: origin, username: decodeURIComponent(username) || 'default' }
}
