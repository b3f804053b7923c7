/** Links: the URL of each page as a function of its parameters, derived from the table of pages. */
import { pages, type PageName, type PageUrl, type UrlParams } from './pages.ts'

/** One text for each parameter, in the order of the URL. */
type Values<Names extends readonly string[]> = { [At in keyof Names]: string }

type Paths = { [Name in PageName]: (...ids: Values<UrlParams<PageUrl<Name>>>) => string }

/** `paths.alert(connectionId, alertId)` -> `/c/a/alerts/1`. */
export const paths: Paths = Object.fromEntries(
  Object.entries(pages).map(([name, { url }]) => [name, (...ids: string[]) => withParameters(url, ids)]),
) as Paths // Object.fromEntries forgets its keys; they are those of the table

function withParameters(url: string, ids: readonly string[]): string {
  let at = 0
  return url.replace(/\$\w+/g, () => ids[at++] ?? '')
}

/** A page of one connection, on another: `/c/a/alerts` with b -> `/c/b/alerts`. The template's further parameters are cut off. */
export function onConnection(template: string, connectionId: string): string {
  const [, ...rest] = template.replace('/c/$connectionId', '').split('/')
  const parameter = rest.findIndex((segment) => segment.startsWith('$'))
  const kept = (parameter === -1 ? rest : rest.slice(0, parameter)).filter((segment) => segment !== '')
  return `${paths.connectionHome(connectionId)}/${kept.join('/')}`
}
