/**
 * The interface's version, which every reply carries as `X-Interface`. The documented interface is 1 and never changes;
 * the minor rises with every release that adds something: an operation, an optional field of a request, a code, an
 * event, a key of `extra`. Nothing is ever taken away or changed within 1 (docs/versions.md).
 */
export const interfaceVersion = '1.1'
