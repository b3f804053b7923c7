/** The path under which a proxy serves the console beside other applications of one host, from `BASE_PATH`. */
import { z } from 'zod'

/** Empty without one: the console has its host for itself. */
export const basePathSetting = z
  .string()
  .regex(/^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/)
  .default('')

/** Valid values, for error messages. */
export const basePathExpectation =
  'a path such as /console: with / at its start, none at its end, and without //, ?, # or encoded characters'

/** For the message about `PUBLIC_URL`. */
export const publicUrlExpectation = 'an address such as https://console.example, with no path or that of BASE_PATH'

interface Place {
  PUBLIC_URL?: string | undefined
  BASE_PATH: string
}

/** With a base path, the path of the public URL is the same or none: two different ones would be a mistake. */
export function hasSinglePath({ PUBLIC_URL, BASE_PATH }: Place): boolean {
  if (PUBLIC_URL === undefined || BASE_PATH === '') return true
  const path = new URL(PUBLIC_URL).pathname.replace(/\/$/, '')
  return path === '' || path === BASE_PATH
}

/** The URL of the console at an address, which may have its base path already. */
export function underBasePath(address: string, basePath: string): string {
  return basePath === '' ? address : new URL(address).origin + basePath
}

/** Takes the base path off the URL of a request. @returns null for a URL outside of it */
export function withoutBasePath(url: string, basePath: string): string | null {
  if (!url.startsWith(basePath)) return null
  const rest = url.slice(basePath.length)
  if (rest === '' || rest.startsWith('?')) return `/${rest}`
  return rest.startsWith('/') ? rest : null
}
