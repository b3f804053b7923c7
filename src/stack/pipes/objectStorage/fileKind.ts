/** The type of a file by its first bytes: its ending may say something else. */
import type { Engine } from '../../telemetry/engine/engine.ts'
import { isOfEngine } from '../records/badRows.ts'
import type { FileToRead } from './fileLocation.ts'
import { sourceSettings } from './sourceFiles.ts'

const compressions: readonly (readonly [hex: string, compression: string])[] = [
  ['1F8B', 'gzip'],
  ['28B52FFD', 'zstd'],
  ['FD377A585A00', 'xz'],
  ['04224D18', 'lz4'],
]

/** Files that are no text, and that a pipe reads only if they are what it reads. The first is as the interface names it. */
const others: readonly (readonly [hex: string, name: string, format?: string])[] = [
  ['425A68', 'compressed with bzip2, which the engine cannot read. Compress it with gzip or zstd'],
  ['504B0304', 'a ZIP archive. Extract it, or compress single files with gzip or zstd'],
  ['377ABCAF271C', 'a 7z archive. Extract it, or compress single files with gzip or zstd'],
  ['50415231', 'a Parquet file', 'Parquet'],
  ['4F626A01', 'an Avro file', 'Avro'],
  ['4F5243', 'an ORC file'],
  ['FFFE', 'text in UTF-16. Convert it to UTF-8'],
  ['FEFF', 'text in UTF-16. Convert it to UTF-8'],
]

const lookedAtBytes = 512
/** Where a tar archive says that it is one. */
const tarMark = { at: 257, hex: Buffer.from('ustar').toString('hex').toUpperCase() }

/**
 * The compression of a file.
 * @param file with the engine's name of what its compression should be, for a file that does not say
 */
export async function compressionOf(
  file: FileToRead,
  engine: Pick<Engine, 'query'>,
  signal: AbortSignal,
): Promise<string> {
  const hex = await firstBytes(file, 'none', engine, signal)
  const known = compressions.find(([first]) => hex.startsWith(first))?.[1]
  return known ?? (isText(Buffer.from(hex, 'hex')) ? 'none' : file.compression)
}

/**
 * Why a file cannot be one of the pipe's format.
 * @param file with its compression
 * @returns the end of a sentence about the file; null if nothing is known against it
 */
export async function whyOtherFormat(
  file: FileToRead,
  format: string,
  engine: Pick<Engine, 'query'>,
  signal: AbortSignal,
): Promise<string | null> {
  const isBinary = format === 'Parquet' || format === 'Avro'
  for (const compression of new Set(['none', file.compression])) {
    const hex = await firstBytes(file, compression, engine, signal).catch((error: unknown) => {
      if (!isOfEngine(error)) throw error
      return ''
    })
    const bytes = Buffer.from(hex, 'hex')
    if (hex === '' || isText(bytes)) continue
    const other = others.find(([first]) => hex.startsWith(first))
    if (other) return other[2] === format ? null : `it is ${other[1]}`
    if (hex.startsWith(tarMark.hex, tarMark.at * 2)) return 'it is a tar archive. Extract it'
  }
  return isBinary ? `it is no ${format} file` : null
}

/** The first bytes, in hexadecimal. Up to a line break, which none of the marks has. */
async function firstBytes(
  { location, path }: FileToRead,
  compression: string,
  engine: Pick<Engine, 'query'>,
  signal: AbortSignal,
): Promise<string> {
  const [row] = await engine.query<{ bytes: string }>(
    `SELECT hex(substring(line, 1, ${lookedAtBytes})) AS bytes FROM ${location.call}, 'LineAsString', 'line String', {compression:String})
     WHERE _path IN {paths:Array(String)} LIMIT 1
     SETTINGS ${sourceSettings}, max_threads = 1, http_skip_not_found_url_for_globs = 0`,
    { params: { ...location.params, paths: [path], compression }, signal, maxSeconds: 300 },
  )
  return row?.bytes ?? ''
}

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
