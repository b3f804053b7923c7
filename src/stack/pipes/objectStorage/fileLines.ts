/** Reads the lines of a file in pages, as far as they can be read. */
import type { Engine } from '../../telemetry/engine/engine.ts'
import { isOfEngine } from '../records/badRows.ts'
import type { Location } from './fileLocation.ts'
import { sourceSettings } from './sourceFiles.ts'

export interface LinePage {
  /** The number of the first line. */
  first: number
  lines: string[]
  /** Why nothing after these lines can be read; null if that is not so. */
  problem: string | null
  isLast: boolean
}

/** More than this is read in smaller pages. */
const pageBytes = 64 * 1024 ** 2
/** A power of two, so that its halves end where blocks of their size do. */
const linesAtOnce = 2 ** 15
/** Lines before damage are read in pages down to this size: the engine reads all lines before in blocks of it. */
const fewestLines = 16

export interface FileToRead {
  location: Location
  path: string
  /** The engine's name of its compression. */
  compression: string
}

/** @param from the number of the first line to read */
export async function* linesOf(
  file: FileToRead,
  from: number,
  engine: Pick<Engine, 'query'>,
  signal: AbortSignal,
): AsyncGenerator<LinePage> {
  let size = linesAtOnce
  for (let first = from; ;) {
    const found = await page(file, first, size, engine, signal)
    if (typeof found !== 'string') {
      const isLast = found.length < size
      yield { first, lines: found, problem: null, isLast }
      if (isLast) return
      first += found.length
      continue
    }
    // The lines before the damage are read in smaller and smaller pages.
    if (size > fewestLines) {
      size /= 2
      continue
    }
    // If its bytes can be read, it is what is in the file.
    await compressionOf(file, engine, signal)
    if (typeof (await page(file, first, size, engine, signal)) !== 'string') continue
    yield { first, lines: [], problem: found, isLast: true }
    return
  }
}

/** @returns the lines, or why they cannot be read */
async function page(
  { location, path, compression }: FileToRead,
  first: number,
  size: number,
  engine: Pick<Engine, 'query'>,
  signal: AbortSignal,
): Promise<string[] | string> {
  try {
    const rows = await engine.query<{ line: string }>(
      `SELECT line FROM ${location.call}, 'LineAsString', 'line String', {compression:String})
       WHERE _path IN {paths:Array(String)} LIMIT ${size} OFFSET ${first}
       SETTINGS ${sourceSettings}, max_threads = 1, input_format_parallel_parsing = 0,
         max_block_size = ${size}, max_result_bytes = ${pageBytes}, result_overflow_mode = 'throw'`,
      { params: { ...location.params, paths: [path], compression }, signal, maxSeconds: 3600 },
    )
    return rows.map(({ line }) => line)
  } catch (error) {
    if (signal.aborted || !isOfEngine(error)) throw error
    return error.message
  }
}

const beginnings: readonly (readonly [hex: string, compression: string])[] = [
  ['1F8B', 'gzip'],
  ['28B52FFD', 'zstd'],
  ['FD377A585A00', 'xz'],
  ['04224D18', 'lz4'],
  ['425A68', 'bz2'],
]

/**
 * The compression that a file has by its first bytes: its ending may say something else.
 * @param given the engine's name of what it should be, for a file that does not say
 */
export async function compressionOf(
  { location, path, compression: given }: FileToRead,
  engine: Pick<Engine, 'query'>,
  signal: AbortSignal,
): Promise<string> {
  const [row] = await engine.query<{ bytes: string }>(
    `SELECT hex(substring(line, 1, ${lookedAtBytes})) AS bytes FROM ${location.call}, 'LineAsString', 'line String', 'none')
     WHERE _path IN {paths:Array(String)} LIMIT 1
     SETTINGS ${sourceSettings}, max_threads = 1, http_skip_not_found_url_for_globs = 0`,
    { params: { ...location.params, paths: [path] }, signal, maxSeconds: 300 },
  )
  const hex = row?.bytes ?? ''
  return beginnings.find(([first]) => hex.startsWith(first))?.[1] ?? (isText(Buffer.from(hex, 'hex')) ? 'none' : given)
}

const lookedAtBytes = 512

/** Whether bytes are the beginning of a text. */
function isText(bytes: Buffer): boolean {
  try {
    // The last character may be cut.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return ![...text].some((character) => character < ' ' && !'\t\r\n'.includes(character))
  } catch {
    return false
  }
}
