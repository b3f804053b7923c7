/** How the process of a stack is started, for `fork`. */
export const runtimeOptions = {
  /**
   * Pipes read hundreds of megabytes a second into memory outside of a small heap. With the usual first limit of the heap, the
   * runtime looks for garbage once for each few megabytes of them, which takes a quarter of the processor.
   */
  execArgv: ['--initial-old-space-size=128'],
  env: {
    /** Each statement in the embedded engine holds a thread of the runtime's pool, and the default of four is too few. */
    UV_THREADPOOL_SIZE: '16',
    /**
     * The system's allocator learns from large requests to keep blocks of up to 32 MB in its heap, where one small block above
     * them holds them for ever: 130 MB after the first hours of the sample. With a fixed limit they are given back.
     */
    MALLOC_MMAP_THRESHOLD_: '1048576',
    MALLOC_TRIM_THRESHOLD_: '8388608',
    MALLOC_ARENA_MAX: '2',
  },
}
