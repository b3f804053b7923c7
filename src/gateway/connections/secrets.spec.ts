import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { consoleEndpoints as endpoints } from '#contract/index.ts'
import { fillPath, gatewayPath } from '#contract/wire/kernel.ts'
import {
  answerJson,
  answerText,
  newAlert,
  secrets,
  shortDeadlines,
  startTestGateway,
  startUpstream,
} from '../testing/testGateway.ts'

/** A secret in all encodings in which it could appear. */
const spellings = Object.values(secrets).flatMap((secret) => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64'),
  Buffer.from(secret).toString('base64url'),
  Buffer.from(`key-id:${secret}`).toString('base64'),
])

test('no secret is in a response, a log line or a file', async () => {
  const upstream = await startUpstream()
  const gateway = await startTestGateway(upstream, { tuning: { deadlines: shortDeadlines } })
  const seen: string[] = []
  try {
    /** Responses that repeat the request's headers, as a careless server could. */
    const careless: Parameters<typeof upstream.become>[0][] = [
      (hit, response) =>
        answerJson({ message: `bad ${hit.headers.authorization}`, error: hit.headers }, 400)(hit, response),
      (hit, response) => answerText(`no ${hit.headers.authorization}`, 'text/plain', 401)(hit, response),
      (hit, response) => answerText(`{"data": ${hit.headers.authorization}`, 'application/json')(hit, response),
      (hit, response) => answerText(String(hit.headers.authorization), 'text/plain', 500)(hit, response),
      (hit, response) =>
        answerText('', 'text/plain', 302, { location: `http://x/?k=${hit.headers.authorization}` })(hit, response),
      (hit, response) =>
        answerJson({ message: 'x' }, 403, { 'x-request-id': String(hit.headers.authorization) })(hit, response),
      (hit, response) =>
        answerJson({ message: 'x' }, 403, { 'x-request-id': String(hit.headers.authorization).split(' ')[1] ?? '' })(
          hit,
          response,
        ),
      (_, response) => void response.socket?.destroy(),
    ]
    const { password } = secrets
    const noCookie = { cookie: '' }
    seen.push(
      (await gateway.call('POST', '/api/session', { password: `${password}-wrong` }, noCookie)).text.replaceAll(
        '-wrong',
        '',
      ),
    )
    seen.push((await gateway.call('POST', '/api/session', { password }, noCookie)).text)
    const connection = {
      name: 'Mine',
      variant: 'managed',
      baseUrl: upstream.url,
      organizationId: 'o',
      serviceId: 's',
      keyId: 'k',
      allowPrivate: true,
      keySecret: secrets.keySecret,
    }
    seen.push((await gateway.call('POST', '/api/connections', connection)).text)
    seen.push((await gateway.call('POST', '/api/connections', { ...connection, color: 'no such colour' })).text)
    seen.push(
      (await gateway.call('POST', '/api/connections', { ...connection, keySecret: `${secrets.keySecret}\n` })).text,
    )
    seen.push((await gateway.call('POST', '/api/connection-test', connection)).text)
    seen.push((await gateway.call('GET', '/api/connections')).text)
    for (const respond of careless) {
      upstream.become(respond)
      for (const connectionId of ['oss', 'managed']) {
        seen.push((await gateway.call('POST', `/api/connections/${connectionId}/test`, {})).text)
        for (const endpoint of endpoints.filter(({ resource }) => resource === 'alerts')) {
          const path = fillPath(gatewayPath(endpoint), { connectionId, alertId: 'a1', deliveryId: 'd1' })
          const body = endpoint.method === 'POST' || endpoint.method === 'PUT' ? newAlert : undefined
          seen.push((await gateway.call(endpoint.method, path, body)).text)
        }
      }
    }
    const files = readdirSync(join(gateway.folder, 'data')).map((file) =>
      readFileSync(join(gateway.folder, 'data', file), 'utf8'),
    )
    expect(gateway.log.length).toBeGreaterThan(50)
    expect(seen.join('')).toContain('bad Bearer •••')
    expect(seen.filter((text) => text.includes('signedOut'))).toHaveLength(1)
    for (const spelling of spellings) {
      expect(seen.filter((text) => text.includes(spelling))).toEqual([])
      expect(gateway.log.filter((line) => line.includes(spelling))).toEqual([])
      expect(files.filter((text) => text.includes(spelling))).toEqual([])
    }
    const sessionId = gateway.cookie.split('=')[1] ?? ''
    expect(gateway.log.join('') + files.join('')).not.toContain(sessionId)
  } finally {
    await gateway.close()
    await upstream.close()
  }
})
