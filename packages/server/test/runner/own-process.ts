/**
 * A test file that imports this module runs in a process of its own: it measures time, changes the state of its process, or
 * mostly waits for programs that it has started. Other files share processes, one after another.
 */
export {}
