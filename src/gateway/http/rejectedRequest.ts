/** Responses to requests that are rejected before any route is looked up: JSON, or a plain page if a person opened the URL. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { stringifyJson } from '#contract/wire/json.ts'
import type { ApiFailure } from '#node/upstream/apiFailure.ts'

/**
 * Sends the response and closes the connection, so that nothing else on it is read.
 * @param home the path of the first page
 */
export function sendRejection(
  request: IncomingMessage,
  response: ServerResponse,
  refused: ApiFailure,
  home: string,
): void {
  const asPage = opensPage(request)
  const type = asPage ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8'
  response.writeHead(refused.httpStatus, { 'content-type': type, connection: 'close' })
  response.end(asPage ? pageOf(refused, home) : stringifyJson(refused.error))
}

function opensPage({ headers, url = '' }: IncomingMessage): boolean {
  return !url.startsWith('/api/') && (headers.accept ?? '').includes('text/html')
}

/** The messages quote nothing of the request. The link works only on hosts that the console serves. */
function pageOf({ error, httpStatus }: ApiFailure, home: string): string {
  const link = httpStatus === 421 ? '' : `\n<p><a href="${home}">Open the console</a></p>`
  return `<!doctype html>
<html lang="en">
<meta name="color-scheme" content="light dark">
<title>Stack Console</title>
<h1>This page cannot be opened</h1>
<p>${error.message}</p>${link}
</html>
`
}
