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
     * them holds them for ever: 100 MB after 60 requests of 4,000 records. With a limit that stays at the size of what is read
     * from a socket at a time, they are given back: 30 MB after the same.
     */
    MALLOC_MMAP_THRESHOLD_: '65536',
    MALLOC_TRIM_THRESHOLD_: '8388608',
    MALLOC_ARENA_MAX: '2',
  },
}
