import type { Plugin } from 'vite'
import { staticClosure } from './chunks.ts'

/**
 * Fails the build if chunks import each other in a circle: one of them would run before what it uses is there. Modules
 * do not (`architecture.spec.ts`), but the bundler may put them into chunks that do.
 */
export function chunkCircles(): Plugin {
  return {
    name: 'chunk-circles',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const inCircle = chunks.filter(({ fileName, imports }) =>
        staticClosure(bundle, imports).some((chunk) => chunk.fileName === fileName),
      )
      if (inCircle.length === 0) return
      const list = inCircle.map(({ fileName, moduleIds }) => `${fileName} with ${moduleIds.join(', ')}`)
      this.error(`Chunks import each other in a circle: ${list.join('; ')}`)
    },
  }
}
