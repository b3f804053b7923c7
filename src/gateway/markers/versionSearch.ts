/**
 * When versions of services first appeared in logs or traces, from one grouped count over the public API, so that every
 * deployment with charts can answer it.
 */
import { z } from 'zod'
import { charts, granularities, granularitySeconds, type ChartQuery } from '#contract/stack/charts.ts'
import { sources as sourceEndpoints, type Source } from '#contract/stack/sources.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import { upstreamPath } from '#node/upstream/upstreamPath.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'

export interface FoundVersion {
  service: string
  version: string
  /** Epoch milliseconds: the start of the bucket with its first row. */
  at: number
  /** The start of the bucket with its last row. */
  until: number
}

/** Buckets of a query: deployments answer with a row for each of them and each version. */
const maxBuckets = 150
/** The most versions that one search finds. */
const maxFound = 500
/** Versions of a service. More of them, such as IDs that never repeat, are no releases. */
export const maxVersions = 200
/** Characters of a name. */
const maxName = 200

/** Attributes that tell a release, the most exact first. The engine names these columns as they are written. */
const attributes = ['service.version', 'container.image.tag', 'k8s.container.image.tag'] as const

const pointSchema = z.looseObject({ ts_bucket: z.coerce.number(), group: z.array(z.unknown()) })

/** The first rows of all versions in a range, the oldest first. Undefined if the deployment has neither traces nor logs to search. */
export async function findVersions(
  deployments: Deployments,
  target: UpstreamTarget,
  { from, to }: { from: number; to: number },
): Promise<{ found: FoundVersion[]; bucketMs: number } | undefined> {
  const source = await sourceOf(deployments, target)
  if (!source) return undefined
  const granularity = granularities.find((candidate) => buckets(candidate, from, to) <= maxBuckets) ?? '1d'
  const service = plainName(source.serviceNameExpression) ?? 'ServiceName'
  const map = plainName(source.resourceAttributesExpression) ?? 'ResourceAttributes'
  const groupBy = [service, ...attributes.map((name) => `arrayElement(${map}, '${name}')`)]
  const body: ChartQuery = {
    startTime: from,
    endTime: to,
    granularity,
    series: [{ sourceId: source.id, aggFn: 'count', where: '', whereLanguage: 'lucene', groupBy }],
  }
  const { result } = await deployments.read(target, {
    endpoint: charts.query,
    path: upstreamPath(charts.query, target, {}),
    body: JSON.stringify(body),
    priority: 'background',
  })
  return { found: firstOf(result), bucketMs: granularitySeconds(granularity, from, to) * 1_000 }
}

function firstOf(result: unknown): FoundVersion[] {
  const first = new Map<string, FoundVersion>()
  for (const row of Array.isArray(result) ? result : []) {
    const point = pointSchema.safeParse(row)
    if (!point.success) continue
    const { ts_bucket: at, group } = point.data
    const [service = '', ...versions] = group.map((value) =>
      typeof value === 'string' ? value.trim().slice(0, maxName) : '',
    )
    const version = versions.find((candidate) => candidate !== '')
    if (service === '' || version === undefined) continue
    const key = JSON.stringify([service, version])
    const known = first.get(key)
    const [from, until] = [Math.min(at, known?.at ?? at), Math.max(at, known?.until ?? at)]
    first.set(key, { service, version, at: from, until })
  }
  const found = releases([...first.values()])
  return found.toSorted((a, b) => a.at - b.at).slice(0, maxFound)
}

/** Leaves out services with too many versions to be releases: they would hide those of all others. */
function releases(found: readonly FoundVersion[]): FoundVersion[] {
  const counts = new Map<string, number>()
  for (const { service } of found) counts.set(service, (counts.get(service) ?? 0) + 1)
  return found.filter(({ service }) => (counts.get(service) ?? 0) <= maxVersions)
}

/** Traces have every service; logs, where there are none. */
async function sourceOf(deployments: Deployments, target: UpstreamTarget): Promise<Source | undefined> {
  const endpoint = sourceEndpoints.list
  const { result } = await deployments.read(target, {
    endpoint,
    path: upstreamPath(endpoint, target, {}),
    priority: 'background',
  })
  const listed = endpoint.result.safeParse(result)
  const usable = (listed.success ? listed.data : []).filter(
    ({ disabled, missingTables = [] }) => disabled !== true && missingTables.length === 0,
  )
  return usable.find(({ kind }) => kind === 'trace') ?? usable.find(({ kind }) => kind === 'log')
}

const buckets = (granularity: (typeof granularities)[number], from: number, to: number): number =>
  (to - from) / 1_000 / granularitySeconds(granularity, from, to)

/** Only names of columns: any other expression could be any SQL. */
const plainName = (expression: string | undefined): string | undefined =>
  expression !== undefined && /^[A-Za-z_]\w*$/.test(expression.trim()) ? expression.trim() : undefined
