import type { Plugin } from 'vite'

/**
 * A chunk group with the common code of all lists, determined by the imports of the alerts page, instead of sixty
 * chunks.
 */
export function listChunk(priority: number) {
  const modules = new Set<string>()
  const plugin: Plugin = {
    name: 'list-chunk',
    apply: 'build',
    buildEnd() {
      const queue = [...this.getModuleIds()].filter((id) => id.endsWith('features/alerts/AlertsPage.tsx'))
      for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
        if (modules.has(id)) continue
        modules.add(id)
        queue.push(...(this.getModuleInfo(id)?.importedIds ?? []))
      }
    },
  }
  return { plugin, group: { name: 'list', test: (id: string) => modules.has(id), minShareCount: 2, priority } }
}
