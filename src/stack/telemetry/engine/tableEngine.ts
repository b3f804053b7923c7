/** The engine of a table as the server describes it in `engine_full`, with its replication told apart. */

interface TableEngine {
  /** Without `Replicated` or `Shared`: `ReplacingMergeTree`. */
  name: string
  /** The kind of replication: `Replicated` on a cluster, `Shared` on ClickHouse Cloud, null for a table of one server. */
  replication: 'Replicated' | 'Shared' | null
  /** In the engine's spelling, without the path and the replica of a replicated table. */
  arguments: readonly string[]
}

/** @param engineFull `SharedReplacingMergeTree('/clickhouse/tables/{uuid}/{shard}', '{replica}', version) ORDER BY id`, or a name only */
export function parseTableEngine(engineFull: string): TableEngine {
  const full = /^\w*/.exec(engineFull)?.[0] ?? ''
  const [, replication, family] = /^(Replicated|Shared)(\w*MergeTree)$/.exec(full) ?? []
  const values = argumentsIn(engineFull.slice(full.length))
  if (family === undefined) return { name: full, replication: null, arguments: values }
  // A path and a replica, unless the database supplies them.
  const isPlaced = values.length >= 2 && values.slice(0, 2).every((value) => value.startsWith("'"))
  return {
    name: family,
    replication: replication === 'Shared' ? 'Shared' : 'Replicated',
    arguments: isPlaced ? values.slice(2) : values,
  }
}

/** The name that an argument is: an identifier or a text, as `Distributed` has them. */
export function argumentName(argument: string): string {
  const inner = /^(['"`])(.*)\1$/s.exec(argument)?.[2]
  return inner === undefined ? argument : inner.replaceAll(/\\(.)/gs, '$1')
}

/** A quoted text or name, a bracket, a comma, or anything else. */
const token = /'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|"(?:[^"\\]|\\.)*"|[()[\],]|[^'"`()[\],]+/gs

/** The arguments at the beginning of a text that continues with the clauses of the table. */
function argumentsIn(text: string): string[] {
  if (!text.startsWith('(')) return []
  const found: string[] = []
  let current = ''
  let depth = 0
  for (const [part] of text.matchAll(token)) {
    const isEnd = part === ')' || part === ']'
    if (isEnd && --depth === 0) break
    if (part === ',' && depth === 1) {
      found.push(current.trim())
      current = ''
    } else if (part !== '(' || depth > 0) current += part
    if (part === '(' || part === '[') depth++
  }
  if (current.trim() !== '') found.push(current.trim())
  return found
}
