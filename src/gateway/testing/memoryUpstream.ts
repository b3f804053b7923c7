/** An open-source deployment in memory behind a real socket, for tests of what the gateway writes. */
import { api } from '#contract/index.ts'
import { recordKinds, type RecordKind } from '#contract/stack/recordKinds.ts'
import type { JsonObject } from '#domain/json/json.ts'
import { MemoryDeployment } from '#domain/records/testing/memoryDeployment.ts'
import { parseJson, stringifyJson } from '#contract/wire/json.ts'
import { answerJson, answerText, startUpstream, type Hit } from './testGateway.ts'

/** @param prefix of the ids that it assigns */
export async function startMemoryUpstream(prefix: string) {
  const records = new MemoryDeployment(prefix)
  const upstream = await startUpstream(async (hit, response) => {
    // Told first, so that a test can hold back or change what follows.
    await behaviour.before(hit)
    return (await answerTo(records, hit))(hit, response)
  })
  const behaviour = { before: async (_hit: Hit): Promise<void> => {} }
  return { ...upstream, records, behaviour }
}

export type MemoryUpstream = Awaited<ReturnType<typeof startMemoryUpstream>>

async function answerTo(records: MemoryDeployment, { method, url, body }: Hit) {
  const [, segment = '', id] = /^\/api\/v2\/([\w-]+)(?:\/([^/?]+))?/.exec(url) ?? []
  const kind = recordKinds.find((recordKind) => api[recordKind].list.path === `/${segment}`)
  // It has what comes with evaluations, such as silences.
  if (segment === 'alert-evaluation') return answerJson({ data: { lastPassAt: null, late: false } })
  if (!kind) return answerJson({ message: 'Not found' }, 404)
  if (id !== undefined && !records.records[kind].has(id)) return answerJson({ message: 'Not found' }, 404)
  // The gateway sends objects.
  const sent = body === '' ? {} : (parseJson(body) as JsonObject)
  try {
    const data = await operate(records, { method, kind, id, sent })
    return answerText(stringifyJson({ data }), 'application/json')
  } catch {
    // As wordy as the worst of them.
    return answerJson({ message: `Refused: ${body}` }, 400)
  }
}

interface Request {
  method: string
  kind: RecordKind
  id: string | undefined
  sent: JsonObject
}

function operate(records: MemoryDeployment, { method, kind, id, sent }: Request): Promise<unknown> {
  if (method === 'POST') return records.create(kind, sent)
  if (id === undefined) return records.list(kind)
  if (method === 'PUT') return records.update(kind, id, sent)
  return method === 'DELETE' ? records.remove(kind, id) : records.read(kind, id)
}
