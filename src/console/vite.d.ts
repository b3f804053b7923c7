/** Types of what Vite adds, instead of `vite/client`: there, CSS modules have no named exports. */
declare module '*.module.css' {
  /** Imported as `* as css`: see `src/build/classNames.ts`. */
  const classes: Readonly<Record<string, string>>
  export = classes
}
declare module '*.css' {}
declare module '*.css?inline' {
  const text: string
  export default text
}

interface WindowEventMap {
  /** The code of a part could not be loaded. */
  'vite:preloadError': Event & { payload: Error }
}
