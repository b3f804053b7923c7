/** The location of an object-storage pipe's files, as a table function of the engine. */
import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { refuse } from '../../refusal.ts'
import type { PipeDocument } from '../model/pipeDocument.ts'
import { refuseUrl, type HostCheck } from '../../net/reachableHosts.ts'
import { formatValue } from '#domain/charts/units.ts'

export interface Location {
  /** The table function and its arguments before the format, placeholders for parameters. */
  call: string
  params: Record<string, string>
  /** Local files, which may be incomplete when they are listed. */
  isLocal: boolean
}

/** A file of a location. */
export interface FileToRead {
  location: Location
  path: string
  /** The engine's name of its compression. */
  compression: string
}

interface AccessKey {
  accessKeyId: string
  secretKey: string
}

/** @throws Refusal 400 for a location that is invalid or not allowed */
export async function locationOf(
  pipe: PipeDocument,
  roots: readonly string[],
  checkHost: HostCheck,
): Promise<Location> {
  const { url, type, authentication, queueUrl } = pipe.source?.objectStorage ?? {}
  if (authentication === 'IAM_ROLE') {
    throw refuse('source.objectStorage.authentication: this stack cannot assume a role. Use an access key')
  }
  if (queueUrl) {
    throw refuse(
      'source.objectStorage.queueUrl: this stack does not read queues. Without one it looks for new files itself',
    )
  }
  if (!url) throw refuse('source.objectStorage.url: Required')
  if (type != null && type !== 'file' && !/^https?:\/\//i.test(url)) {
    throw refuse(`source.objectStorage.url: the type ${type} has an http or https address`)
  }
  if (type === 'file' || !/^[a-z][a-z0-9+.-]*:\/\//i.test(url) || /^file:/i.test(url)) return localFiles(url, roots)
  if (!/^https?:\/\//i.test(url))
    throw refuse('source.objectStorage.url: only http, https and file addresses can be read')
  await refuseUrl('source.objectStorage.url', url, checkHost)
  const key = pipe.internal.secrets?.['accessKey'] as AccessKey | undefined // checked when the pipe was made
  const isBucket = type !== 'http' && (type != null || key !== undefined)
  // The engine decodes the address of a bucket, and no other.
  refuseManyNames('source.objectStorage.url', isBucket ? decoded(url) : url)
  if (!isBucket) return { call: 'url({url:String}', params: { url }, isLocal: false }
  if (!key) return { call: 's3({url:String}, NOSIGN', params: { url }, isLocal: false }
  return {
    call: 's3({url:String}, {access_key:String}, {secret_key:String}',
    params: { url, access_key: key.accessKeyId, secret_key: key.secretKey },
    isLocal: false,
  }
}

/** Files below one of the roots, with links resolved: the engine itself would read any file. */
async function localFiles(url: string, roots: readonly string[]): Promise<Location> {
  const pattern = /^file:/i.test(url) ? pathOfUrl(url) : url
  refuseManyNames('source.objectStorage.url', pattern)
  if (pattern.split(/[/\\]/).includes('..')) throw refuse('source.objectStorage.url: the path may not contain ".."')
  const file = path.resolve(roots[0] ?? '/', pattern)
  const folder = file.slice(0, file.lastIndexOf(path.sep, firstWildcard(file)) + 1)
  const real = await realpath(folder).catch(() => null)
  if (real === null) throw refuse(`source.objectStorage.url: the folder of ${pattern} does not exist`)
  if (!(await isBelow(real, roots)))
    throw refuse('source.objectStorage.url: only files below PIPE_FILES_ROOT can be read')
  return { call: 'file({url:String}', params: { url: path.join(real, file.slice(folder.length)) }, isLocal: true }
}

/** Whether a file or folder, with links resolved, is one of the roots or below it. */
export async function isBelow(file: string, roots: readonly string[]): Promise<boolean> {
  const real = await realpath(file)
  const realRoots = await Promise.all(roots.map((root) => realpath(root).catch(() => null)))
  return realRoots.some((root) => root !== null && (real === root || real.startsWith(root + path.sep)))
}

function pathOfUrl(url: string): string {
  try {
    return fileURLToPath(url.replaceAll('?', '%3F').replaceAll('#', '%23'))
  } catch {
    throw refuse('source.objectStorage.url: not a file address')
  }
}

/** An address without the escapes that stand for one byte of ASCII. */
function decoded(url: string): string {
  return url.replaceAll(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

function firstWildcard(file: string): number {
  const at = file.search(/[*?{[]/)
  return at < 0 ? file.length : at
}

/** Names that an address may stand for. The engine keeps all of them in memory, outside of its limits. */
export const maxNames = 10_000

/**
 * @param address as the engine reads it, so decoded where the engine decodes it
 * @throws Refusal for an address that stands for more names than fit into memory
 */
export function refuseManyNames(field: string, address: string): void {
  if (namesOf(address) <= maxNames) return
  const most = formatValue(maxNames)
  throw refuse(`${field}: its braces stand for more than ${most} names. Use an asterisk, or several data pipes`)
}

/**
 * How many names an address stands for: `{a,b}` for two, `{1..20}` for 20, and both after each other for 40. Asterisks
 * count as one: they match files that exist.
 */
export function namesOf(address: string): number {
  /** For each open brace: the number of names before it, and of its alternatives so far. */
  const open: { before: number; alternatives: number }[] = []
  let names = 1
  for (let at = 0; at < address.length; at++) {
    const character = address[at]
    const inner = open.at(-1)
    if (character === '{') {
      open.push({ before: names, alternatives: 0 })
      names = 1
    } else if (character === ',' && inner) {
      inner.alternatives += names
      names = 1
    } else if (character === '}' && inner) {
      open.pop()
      names = inner.before * (inner.alternatives + names * rangeBefore(address, at))
    }
  }
  // One that is not closed is part of a name.
  return open.reduceRight((sum, { before, alternatives }) => before * (alternatives + sum), names)
}

/** The numbers of a range such as `{1..20}` that ends at a place; 1 if there is none. */
function rangeBefore(address: string, end: number): number {
  const last = digitsBefore(address, end)
  const first = address.endsWith('..', last.from) ? digitsBefore(address, last.from - 2) : null
  if (!first || last.from === end || first.from === last.from - 2 || address[first.from - 1] !== '{') return 1
  const difference = last.number - first.number
  return Number(difference < 0n ? -difference : difference) + 1
}

/** The number that ends at a place, and where it begins. The engine's numbers have 64 bits, and it drops those beyond. */
function digitsBefore(address: string, end: number): { from: number; number: bigint } {
  let from = end
  while (isDigit(address[from - 1])) from--
  let number = 0n
  for (let at = from; at < end; at++) number = BigInt.asUintN(64, number * 10n + BigInt(address[at] ?? 0))
  return { from, number }
}

const isDigit = (character: string | undefined) => character !== undefined && character >= '0' && character <= '9'
