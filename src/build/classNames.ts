/** CSS modules: in a build one stylesheet for all pages, and the names of its classes in the code that uses them. */
import { basename } from 'node:path'
import type { Plugin } from 'vite'

const extension = '.module.css'
const cssModule = /\.module\.css$/

/**
 * Writes class names into the code that uses them (`import * as css`): a page has the names of its own elements only, however
 * many classes a stylesheet has. The stylesheets themselves belong to the frame (`src/console/stylesheets.ts`).
 */
export function classNames(): Plugin {
  return {
    name: 'class-names',
    enforce: 'post',
    config: () => ({
      css: { modules: { generateScopedName: scopedName } },
      build: { rolldownOptions: { optimization: { inlineConst: { mode: 'all', pass: 1 } } } },
    }),
    transform: {
      filter: { id: cssModule },
      handler(code) {
        // Names do not change with their rules, so a stylesheet that was edited replaces itself. Without this, the page
        // reloads: `main.tsx`, which imports all stylesheets, cannot be replaced.
        if (this.environment.mode === 'dev') return { code: `${code}\nimport.meta.hot?.accept()`, map: null }
        if (this.environment.mode !== 'build') return
        // The bundler would leave out the stylesheet of a module without code. Nothing imports the object of all names.
        return { code: code.replace(/^export default \{[^}]*\};?$/m, ''), map: null, moduleSideEffects: 'no-treeshake' }
      },
    },
    hotUpdate({ modules }) {
      for (const changed of modules) if (changed.file && cssModule.test(changed.file)) changed.isSelfAccepting = true
    },
  }
}

/** Stylesheets are called differently (`cssModules.spec.ts`). Their classes keep their names when their rules change. */
const scopedName = (name: string, file: string) => `${basename(file.split('?')[0] ?? file, extension)}-${name}`
