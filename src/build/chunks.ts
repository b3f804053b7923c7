/** Finds chunks of a built bundle. */
import type { Rolldown } from 'vite'

type Bundle = Rolldown.OutputBundle
type Chunk = Rolldown.OutputChunk

/** The chunk that index.html starts. */
export function entryOf(bundle: Bundle): Chunk | undefined {
  return Object.values(bundle).find((file) => file.type === 'chunk' && file.isEntry) as Chunk | undefined // narrowed
}

/** The chunk with this file of the console as its entry, such as `features/alerts/AlertsPage.tsx`. */
export function chunkOf(bundle: Bundle, file: string): Chunk | undefined {
  const isIt = (output: Bundle[string]): output is Chunk =>
    output.type === 'chunk' && (output.facadeModuleId?.endsWith(`/src/console/${file}`) ?? false)
  return Object.values(bundle).find(isIt)
}

/** The chunk with this file of the console among others. */
export function chunkWith(bundle: Bundle, file: string): Chunk | undefined {
  const isIt = (output: Bundle[string]): output is Chunk =>
    output.type === 'chunk' && output.moduleIds.some((id) => id.endsWith(`/src/console/${file}`))
  return Object.values(bundle).find(isIt)
}

/** The chunks that load with these, by name, without dynamic imports. */
export function staticClosure(bundle: Bundle, from: string[]): Chunk[] {
  const found = new Map<string, Chunk>()
  const queue = [...from]
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    const file = bundle[name]
    if (file?.type !== 'chunk' || found.has(name)) continue
    found.set(name, file)
    queue.push(...file.imports)
  }
  return [...found.values()]
}
