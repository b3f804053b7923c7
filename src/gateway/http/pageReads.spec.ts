import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import {
  answerJson,
  gatewayForTests,
  secrets,
  seedsTo,
  startTestGateway,
  startUpstream,
  inlineScript,
} from '../testing/testGateway.ts'

const { upstream, gateway } = await gatewayForTests({ tuning: { readDeadline: 10_000 } })

const opened = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
const reads = ['/api/c/oss/stack/alerts', '/api/c/oss/stack/webhooks', '/api/c/oss/stack/sources']

const alert = (name: string) => ({ id: 'a-1', name, channel: { type: 'webhook', webhookId: 'w-1' } })
const byPath: Record<string, unknown> = {
  '/api/v2/alerts': { data: [alert('Errors')] },
  '/api/v2/webhooks': { data: [{ id: 'w-1', name: 'Hook', url: 'https://hooks.test/services/T0/B0/token-51c2' }] },
  '/api/v2/sources': { data: [] },
}
const answers = (more: Record<string, unknown> = {}) =>
  upstream.become((hit, response) => {
    const path = hit.url.split('?')[0] ?? ''
    void answerJson({ ...byPath, ...more }[path] ?? { data: [] })(hit, response)
  })
beforeEach(() => answers())

/** Opens a page as a browser does. */
async function open(path = '/c/oss/alerts', headers: Record<string, string> = {}, method = 'GET', metadata = true) {
  const outgoing = request(gateway.address + path, {
    method,
    headers: { cookie: gateway.cookie, ...(metadata && opened), ...headers },
  })
  outgoing.end()
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  response.setEncoding('utf8')
  return { outgoing, response }
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of response) text += String(piece)
  return text
}

const document = async (...how: Parameters<typeof open>) => textOf((await open(...how)).response)

interface Block {
  status: number
  headers: [string, string][]
  json: { result?: unknown; code?: string; revisions?: string[] }
}

/** The responses in a document, as the page reads them. */
function blocksOf(text: string): Record<string, Block> {
  const found = text.matchAll(
    /<script type="application\/json" data-read="([^"]*)" data-status="(\d+)" data-headers="([^"]*)">(.*?)<\/script>\n/gs,
  )
  return Object.fromEntries(
    [...found].map(([, path = '', status, headers = '', json = '']) => [
      path,
      {
        status: Number(status),
        headers: JSON.parse(headers.replaceAll('&quot;', '"')) as [string, string][],
        json: JSON.parse(json) as Block['json'],
      },
    ]),
  )
}

const announced = (text: string) => /name="page-reads" content="([^"]*)"/.exec(text)?.[1]?.replaceAll('&quot;', '"')

describe('first reads in the document', () => {
  it('are the responses of the API, each from one request to the deployment', async () => {
    const text = await document()
    expect(upstream.hits.map(({ url }) => url.split('?')[0]).toSorted()).toEqual(Object.keys(byPath).toSorted())
    const blocks = blocksOf(text)
    expect(JSON.parse(announced(text) ?? '')).toEqual(reads)
    expect(Object.keys(blocks).toSorted()).toEqual(reads.toSorted())
    for (const path of reads) {
      const { json } = await gateway.call('GET', path)
      expect(blocks[path]).toMatchObject({ status: 200, json: { result: json.result, revisions: json.revisions } })
    }
    expect(text).toMatch(/<\/script>\n<\/body><\/html>$/)
  })

  it('contain no secrets', async () => {
    const text = await document()
    expect(text).toContain('Hook')
    expect(text).not.toContain('token-51c2')
    for (const secret of Object.values(secrets)) expect(text).not.toContain(secret)
  })

  it('cannot be ended by a name', async () => {
    const name = '</script><script>alert(1)</script><!--<script>\u2028]]>&quot;'
    answers({ '/api/v2/alerts': { data: [alert(name)] } })
    const text = await document()
    expect(text.replace(`<script>${inlineScript}</script>`, '').match(/<\/script/g)).toHaveLength(reads.length)
    expect(text).not.toContain('<!--')
    expect(blocksOf(text)[reads[0] ?? '']?.json.result).toEqual([expect.objectContaining({ name })])
  })

  it('include errors', async () => {
    upstream.become(answerJson({ message: 'no such key' }, 403))
    const blocks = blocksOf(await document())
    const { status, code } = await gateway.call('GET', reads[0] ?? '')
    expect(blocks[reads[0] ?? '']).toMatchObject({ status, json: { code } })
    expect(status).not.toBe(200)
  })

  it('have the parameters of the URL', async () => {
    expect(Object.keys(blocksOf(await document('/c/oss/alerts/a-1?range=1h')))).toEqual(['/api/c/oss/stack/alerts/a-1'])
    expect(Object.keys(blocksOf(await document(`/c/oss/alerts/${'x'.repeat(200)}`)))).toEqual([])
  })

  it('are not stored by the browser', async () => {
    const { response } = await open()
    expect(response.headers['cache-control']).toBe('no-store')
    expect(response.headers['content-security-policy']).toContain("script-src 'self'")
    await textOf(response)
  })
})

describe('a deployment that hangs', () => {
  it('delays neither the start of the document nor the reads of others', async () => {
    let respond = () => {}
    upstream.become((hit, response) => {
      const answer = answerJson({ data: [] })
      if (hit.url.startsWith('/api/v2/alerts')) respond = () => void answer(hit, response)
      else void answer(hit, response)
    })
    const { response } = await open()
    const pieces: string[] = []
    for await (const piece of response) {
      pieces.push(String(piece))
      const text = pieces.join('')
      if (pieces.length === 1) expect(text).toContain('<div id="root">')
      if (text.includes(`data-read="${reads[1]}"`) && text.includes(`data-read="${reads[2]}"`)) {
        if (!text.includes(`data-read="${reads[0]}"`)) respond()
      }
    }
    expect(Object.keys(blocksOf(pieces.join(''))).at(-1)).toBe(reads[0])
  })

  it('delays the end up to the deadline. The page’s own request then joins the read', async () => {
    const held: (() => void)[] = []
    upstream.become((hit, response) => {
      if (hit.url.startsWith('/api/v2/alerts')) held.push(() => void answerJson({ data: [] })(hit, response))
      else void answerJson({ data: [] })(hit, response)
    })
    const slow = await startTestGateway(upstream, {
      tuning: { readDeadline: 1_500 },
    })
    const outgoing = request(`${slow.address}/c/oss/alerts`, { headers: { cookie: slow.cookie, ...opened } })
    outgoing.end()
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
    const text = await textOf(response)
    expect(text).toMatch(/<\/html>$/)
    expect(Object.keys(blocksOf(text)).toSorted()).toEqual(reads.slice(1).toSorted())
    const own = slow.call('GET', reads[0] ?? '')
    await slow.call('GET', reads[2] ?? '')
    expect(held).toHaveLength(1)
    held[0]?.()
    expect((await own).status).toBe(200)
    await slow.close()
  })

  it('is not read any longer when the browser disconnects', async () => {
    const closed = new Promise<void>((done) => {
      upstream.become((hit, response) => {
        if (hit.url.startsWith('/api/v2/alerts')) response.once('close', done)
        else void answerJson({ data: [] })(hit, response)
      })
    })
    const { outgoing, response } = await open()
    await once(response, 'data')
    while (!upstream.hits.some(({ url }) => url.startsWith('/api/v2/alerts'))) await new Promise(setImmediate)
    response.on('error', () => {})
    outgoing.destroy()
    await closed
  })
})

describe('the document alone is sent', () => {
  it.each([
    ['to other sites', { 'sec-fetch-site': 'cross-site' }],
    ['to other ports of the same host', { 'sec-fetch-site': 'same-site' }],
    ['for a prefetch', { 'sec-purpose': 'prefetch' }],
    ['for a prefetch of older browsers', { purpose: 'prefetch' }],
    ['to a frame', { 'sec-fetch-dest': 'iframe' }],
    ['to a script', { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }],
    ['without a session', { cookie: '' }],
    ['with a session that ended', { cookie: 'stack_console_0=guessed' }],
  ])('%s', async (_, headers) => {
    const text = await document('/c/oss/alerts', headers)
    expect(text).toContain('<div id="root">')
    expect(announced(text)).toBe('')
    expect(blocksOf(text)).toEqual({})
    expect(upstream.hits).toEqual([])
  })

  it('for HEAD, and without the headers that browsers send', async () => {
    expect(await document('/c/oss/alerts', {}, 'HEAD')).toBe('')
    const response = await fetch(`${gateway.address}/c/oss/alerts`, { headers: { cookie: gateway.cookie } })
    expect(blocksOf(await response.text())).toEqual({})
    expect(upstream.hits).toEqual([])
  })
})

/** Over plain http to another machine, browsers send no fetch metadata. */
describe('without fetch metadata', () => {
  const navigation = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'upgrade-insecure-requests': '1' }
  const readsOf = async (headers: Record<string, string>) =>
    Object.keys(blocksOf(await document('/c/oss/alerts', headers, 'GET', false)))

  it('a navigation gets its reads', async () => {
    expect((await readsOf(navigation)).toSorted()).toEqual(reads.toSorted())
  })

  it.each([
    ['an image', { accept: 'image/avif,*/*;q=0.8' }],
    ['a script', { accept: '*/*' }],
    ['a script that claims to accept HTML', { accept: 'text/html' }],
    ['a link of another origin', { ...navigation, referer: 'http://127.0.0.1:3000/' }],
    ['a prefetch', { ...navigation, purpose: 'prefetch' }],
    ['a frame that has some', { ...navigation, 'sec-fetch-dest': 'iframe' }],
  ])('%s gets none', async (_, headers) => {
    expect(await readsOf(headers)).toEqual([])
    expect(upstream.hits).toEqual([])
  })
})

describe('the rate limit', () => {
  it('counts each read once', async () => {
    const limited = await startUpstream()
    const own = await startTestGateway(limited, {
      seeds: seedsTo(limited.url),
      budgets: { [limited.url]: { openSource: { limit: 50, window: 60_000 }, managed: { limit: 50, window: 60_000 } } },
    })
    afterAll(async () => {
      await own.close()
      await limited.close()
    })
    const left = async () => (await own.call('GET', '/api/connections/oss/budget')).json.remaining
    const before = Number(await left())
    const outgoing = request(`${own.address}/c/oss/alerts`, { headers: { cookie: own.cookie, ...opened } })
    outgoing.end()
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
    const blocks = blocksOf(await textOf(response))
    expect(await left()).toBe(before - reads.length)
    expect(limited.hits).toHaveLength(reads.length)
    expect(Object.fromEntries(blocks[reads[0] ?? '']?.headers ?? [])).toHaveProperty('x-budget-remaining')
  })
})
