/** What is refused before any route is looked up: answered as JSON, or as a plain page where a person opened the address. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { stringifyJson } from '#contract/json.ts'
import type { GatewayError } from './errors.ts'

/** Ends the response, and the connection with it: what else came on it is not looked at. */
export function answerRefused(request: IncomingMessage, response: ServerResponse, refused: GatewayError): void {
  const asPage = opensPage(request)
  const type = asPage ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8'
  response.writeHead(refused.httpStatus, { 'content-type': type, connection: 'close' })
  response.end(asPage ? pageOf(refused) : stringifyJson(refused.error))
}

function opensPage({ headers, url = '' }: IncomingMessage): boolean {
  return !url.startsWith('/api/') && (headers.accept ?? '').includes('text/html')
}

/** The messages are all our own words, and hold nothing of the request. The way home leads somewhere on our hosts alone. */
function pageOf({ error, httpStatus }: GatewayError): string {
  const wayHome = httpStatus === 421 ? '' : '\n<p><a href="/">Open the console</a></p>'
  return `<!doctype html>
<html lang="en">
<meta name="color-scheme" content="light dark">
<title>Stack Console</title>
<h1>This address cannot be opened</h1>
<p>${error.message}</p>${wayHome}
</html>
`
}
