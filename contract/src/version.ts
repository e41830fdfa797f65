/**
 * The version of the interface, sent with every reply as `X-Interface`. The documented interface is 1 and never changes;
 * the minor version rises with every release that adds something: an operation, an optional request field, a code, an
 * event, or a key of `extra`. Nothing is ever removed or changed within 1 (docs/versions.md).
 */
export const interfaceVersion = '1.2'
