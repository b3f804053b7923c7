/** How the process of a stack is started, for `fork`. */
export const runtimeOptions = {
  /**
   * Pipes read hundreds of megabytes a second into memory outside of a small heap. With the usual first limit of the heap, the
   * runtime looks for garbage once for each few megabytes of them, which takes a quarter of the processor.
   */
  execArgv: ['--initial-old-space-size=128'],
  /** Each statement in the embedded engine holds a thread of the runtime's pool, and the default of four is too few. */
  env: { UV_THREADPOOL_SIZE: '16' },
}
