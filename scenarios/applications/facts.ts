/** What is known of a message of an application, by names that its duties use. */

/** An absent value is undefined; a name that stands for nothing here is not in the map, and no duty speaks of it. */
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
  'structured', // whether names address, and not an identifier
  'misplaced', // why the path is the mapping of no address
  'target', // type of what is addressed, or latest, oldest, polling URI
  'originator', // X-M2M-Origin
  'used before', // the request that carried the same identifier, of the same originator
  'resource type', // ty of the Content-Type
  'members', // keys at the top of the content
  'root', // the only one of them
  'type', // that it is the root of
  'type agrees', // whether that is the resource type
  'attributes',
  'not permitted', // attributes that this operation must not give
  'missing', // attributes that it has to give
  'mistyped', // attributes of another data type than they have
  'query', // the last value by name
  'criteria', // names of filter criteria in the query
  'repeated', // names in the query that stand there more than once, and may not
  'mistimed', // names in the query whose values are no timestamps
  'answers', // of what is told to a polling URI: whether it answers a request that came from there
] as const;
const ofAnswers = [
  'addressed', // whether a Resource-ID says who is notified, and no URL
  'notified', // verification, one, several, deletion, other
  'answered', // whether an answer came
  'status',
  'code', // X-M2M-RSC as a number
  'fits', // whether that is the status of this code
  'asked identifier', // whether the identifier is that of the notification
  'asked release', // X-M2M-RVI of the notification
] as const;

export const factNames = [...ofEveryMessage, ...ofRequests, ...ofAnswers] as const;
export type FactName = (typeof factNames)[number];
