/** Facts about a message of an application, by the names in duties. */

/** An absent value is undefined; a fact that does not apply is not in the map, and then no duty with it applies. */
export type Facts = ReadonlyMap<FactName, unknown>;

const ofEveryMessage = [
  'wire', // HTTP, MQTT, WebSocket, CoAP
  'headers', // by names in lower case
  'identifier', // X-M2M-RI
  'release', // X-M2M-RVI
  'media type', // Content-Type without parameters
  'content', // none, JSON, not JSON, other
] as const;
const ofRequests = [
  'method',
  'operation', // create, retrieve, update, delete, discover, notify, other
  'registers', // whether it creates an AE
  'structured', // whether the address consists of names, without an identifier
  'misplaced', // why the path does not map to an address
  'target', // addressed resource type, or latest, oldest, polling URI
  'originator', // X-M2M-Origin
  'used before', // the earlier request with the same identifier and originator
  'resource type', // ty of the Content-Type
  'members', // number of keys at the top of the content
  'root', // the only key
  'type', // resource type of this root
  'type agrees', // whether that is the 'resource type'
  'attributes',
  'not permitted', // attributes that this operation must not have
  'missing', // attributes that it must have
  'mistyped', // attributes with the wrong data type
  'query', // the last value by name
  'criteria', // names of filter criteria in the query
  'repeated', // query parameters that are repeated, and must not be
  'mistimed', // query parameters that should be timestamps, and are not
  'answers', // of a response to a polling URI: whether its request came from there
] as const;
const ofAnswers = [
  'addressed', // whether a resource identifier led there, and not a URL
  'notified', // verification, one, several, deletion, other
  'answered', // whether an answer came
  'status',
  'code', // X-M2M-RSC as a number
  'fits', // whether the status is right for this code
  'asked identifier', // whether the identifier is that of the notification
  'asked release', // X-M2M-RVI of the notification
] as const;

export const factNames = [...ofEveryMessage, ...ofRequests, ...ofAnswers] as const;
export type FactName = (typeof factNames)[number];
