/** Where the interface of a deployment has its team settings. */

/** The usual ports of API and interface on one host. */
const apiPort = '8000'
const interfacePort = '8080'

/** A guess from the base address of the API: its proxy path is `/api` of the interface, and its own port is beside it. */
export function teamSettingsOf(baseUrl: string): string {
  const url = new URL(baseUrl)
  const path = url.pathname.replace(/\/(?:api)?\/?$/, '')
  if (path === '' && url.pathname === '/' && url.port === apiPort) url.port = interfacePort
  return `${url.origin}${path}/team`
}
