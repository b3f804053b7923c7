import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Plugin } from 'vite'
import { z } from 'zod'

/** A build whose files are retained. */
const build = z.object({ builtAt: z.number(), files: z.array(z.string()) })
export type Build = z.infer<typeof build>

/** Milliseconds that the files of a previous build are retained: as long as a session can last. */
const outlives = 7 * 24 * 3_600_000
/** Maximum number of builds. More than this are a day of development, and nobody has all of them open. */
const atMost = 10

/** The builds, newest first, whose files open pages may still request. */
export function retainedBuilds(builds: readonly Build[], now: number): Build[] {
  return builds.filter((_, at) => at < atMost && (builds[at - 1]?.builtAt ?? now) > now - outlives)
}

/**
 * Keeps the files of previous builds for some time, instead of emptying the folder: open pages, and a server that was
 * not restarted, still request them. Requires `emptyOutDir: false`.
 */
export function previousBuilds(): Plugin {
  let folder = ''
  return {
    name: 'former-builds',
    apply: 'build',
    configResolved({ root, build: { outDir } }) {
      folder = resolve(root, outDir)
    },
    buildStart() {
      // From here on, the folder no longer contains the stamped build (`src/server/build.ts`).
      rmSync(join(folder, '.stamp'), { force: true })
    },
    writeBundle(_, bundle) {
      const list = join(folder, '.builds.json')
      const files = Object.keys(bundle)
        .filter((file) => file.startsWith('assets/'))
        .toSorted()
      // An identical build replaces none.
      const others = read(list).filter((build) => build.files.join() !== files.join())
      const kept = retainedBuilds([{ builtAt: Date.now(), files }, ...others], Date.now())
      const wanted = new Set(kept.flatMap(({ files }) => files))
      for (const file of readdirSync(join(folder, 'assets'))) {
        if (!wanted.has(`assets/${file.replace(/\.(?:br|gz)$/, '')}`)) rmSync(join(folder, 'assets', file))
      }
      writeFileSync(list, JSON.stringify(kept))
    },
  }
}

/** The notes of earlier builds; nothing where that cannot be read, and their files go. */
function read(list: string): Build[] {
  if (!existsSync(list)) return []
  try {
    return build.array().parse(JSON.parse(readFileSync(list, 'utf8')))
  } catch {
    return []
  }
}
