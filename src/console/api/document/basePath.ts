/**
 * The path under which a proxy serves the console, as the gateway writes it into the page: before every path of the API and,
 * by the router, of every page. Empty without one, and while the build draws pages.
 */
export const basePath = typeof document === 'undefined' ? '' : written()

function written(): string {
  const content = document.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? ''
  return content.startsWith('/') ? content : ''
}

/** The path of the page that is open, as routes and links have it. */
export function currentPath(): string {
  return location.pathname.slice(basePath.length) || '/'
}
