// For tests: what Go 1 writes for one token, as it was written by Go itself.

/** The token of all of them. */
export const goToken = 'q9-Z"k\\T<7>&p+K/3=v%Wé8~?ÿ>';

/** What is called, and what it gives; of calls that give the same, one. */
export const writtenByGo: readonly (readonly [call: string, text: string])[] = [
  [
    'fmt.Sprintf("%v", []byte)',
    '[113 57 45 90 34 107 92 84 60 55 62 38 112 43 75 47 51 61 118 37 87 195 169 56 126 63 195 191 62]',
  ],
  ['fmt.Sprintf("%x", []byte)', '71392d5a226b5c543c373e26702b4b2f333d762557c3a9387e3fc3bf3e'],
  ['fmt.Sprintf("%X", []byte)', '71392D5A226B5C543C373E26702B4B2F333D762557C3A9387E3FC3BF3E'],
  [
    'fmt.Sprintf("% x", []byte)',
    '71 39 2d 5a 22 6b 5c 54 3c 37 3e 26 70 2b 4b 2f 33 3d 76 25 57 c3 a9 38 7e 3f c3 bf 3e',
  ],
  [
    'fmt.Sprintf("% X", []byte)',
    '71 39 2D 5A 22 6B 5C 54 3C 37 3E 26 70 2B 4B 2F 33 3D 76 25 57 C3 A9 38 7E 3F C3 BF 3E',
  ],
  ['fmt.Sprintf("%#x", []byte)', '0x71392d5a226b5c543c373e26702b4b2f333d762557c3a9387e3fc3bf3e'],
  [
    'fmt.Sprintf("%# x", []byte)',
    '0x71 0x39 0x2d 0x5a 0x22 0x6b 0x5c 0x54 0x3c 0x37 0x3e 0x26 0x70 0x2b 0x4b 0x2f 0x33 0x3d 0x76 0x25 0x57 0xc3 0xa9 0x38 0x7e 0x3f 0xc3 0xbf 0x3e',
  ],
  ['fmt.Sprintf("%q", []byte)', '"q9-Z\\"k\\\\T<7>&p+K/3=v%Wé8~?ÿ>"'],
  ['fmt.Sprintf("%+q", []byte)', '"q9-Z\\"k\\\\T<7>&p+K/3=v%W\\u00e98~?\\u00ff>"'],
  ['fmt.Sprintf("%#q", []byte)', '`q9-Z"k\\T<7>&p+K/3=v%Wé8~?ÿ>`'],
  ['fmt.Sprintf("%s", []byte)', 'q9-Z"k\\T<7>&p+K/3=v%Wé8~?ÿ>'],
  [
    'fmt.Sprintf("%#v", []byte)',
    '[]byte{0x71, 0x39, 0x2d, 0x5a, 0x22, 0x6b, 0x5c, 0x54, 0x3c, 0x37, 0x3e, 0x26, 0x70, 0x2b, 0x4b, 0x2f, 0x33, 0x3d, 0x76, 0x25, 0x57, 0xc3, 0xa9, 0x38, 0x7e, 0x3f, 0xc3, 0xbf, 0x3e}',
  ],
  [
    'fmt.Sprintf("%o", []byte)',
    '[161 71 55 132 42 153 134 124 74 67 76 46 160 53 113 57 63 75 166 45 127 303 251 70 176 77 303 277 76]',
  ],
  [
    'fmt.Sprintf("%b", []byte)',
    '[1110001 111001 101101 1011010 100010 1101011 1011100 1010100 111100 110111 111110 100110 1110000 101011 1001011 101111 110011 111101 1110110 100101 1010111 11000011 10101001 111000 1111110 111111 11000011 10111111 111110]',
  ],
  [
    'fmt.Sprintf("%U", []byte)',
    '[U+0071 U+0039 U+002D U+005A U+0022 U+006B U+005C U+0054 U+003C U+0037 U+003E U+0026 U+0070 U+002B U+004B U+002F U+0033 U+003D U+0076 U+0025 U+0057 U+00C3 U+00A9 U+0038 U+007E U+003F U+00C3 U+00BF U+003E]',
  ],
  [
    'fmt.Sprintf("%v", []rune)',
    '[113 57 45 90 34 107 92 84 60 55 62 38 112 43 75 47 51 61 118 37 87 233 56 126 63 255 62]',
  ],
  [
    'fmt.Sprintf("%#U", []rune)',
    "[U+0071 'q' U+0039 '9' U+002D '-' U+005A 'Z' U+0022 '\"' U+006B 'k' U+005C '\\' U+0054 'T' U+003C '<' U+0037 '7' U+003E '>' U+0026 '&' U+0070 'p' U+002B '+' U+004B 'K' U+002F '/' U+0033 '3' U+003D '=' U+0076 'v' U+0025 '%' U+0057 'W' U+00E9 'é' U+0038 '8' U+007E '~' U+003F '?' U+00FF 'ÿ' U+003E '>']",
  ],
  [
    'fmt.Sprintf("%U", []rune)',
    '[U+0071 U+0039 U+002D U+005A U+0022 U+006B U+005C U+0054 U+003C U+0037 U+003E U+0026 U+0070 U+002B U+004B U+002F U+0033 U+003D U+0076 U+0025 U+0057 U+00E9 U+0038 U+007E U+003F U+00FF U+003E]',
  ],
  [
    'fmt.Sprintf("%q", []rune)',
    "['q' '9' '-' 'Z' '\"' 'k' '\\\\' 'T' '<' '7' '>' '&' 'p' '+' 'K' '/' '3' '=' 'v' '%' 'W' 'é' '8' '~' '?' 'ÿ' '>']",
  ],
  ['url.QueryEscape', 'q9-Z%22k%5CT%3C7%3E%26p%2BK%2F3%3Dv%25W%C3%A98~%3F%C3%BF%3E'],
  ['url.PathEscape', 'q9-Z%22k%5CT%3C7%3E&p+K%2F3=v%25W%C3%A98~%3F%C3%BF%3E'],
  [
    'url.QueryEscape twice',
    'q9-Z%2522k%255CT%253C7%253E%2526p%252BK%252F3%253Dv%2525W%25C3%25A98~%253F%25C3%25BF%253E',
  ],
  ['base64.StdEncoding', 'cTktWiJrXFQ8Nz4mcCtLLzM9diVXw6k4fj/Dvz4='],
  ['base64.RawStdEncoding', 'cTktWiJrXFQ8Nz4mcCtLLzM9diVXw6k4fj/Dvz4'],
  ['base64.URLEncoding', 'cTktWiJrXFQ8Nz4mcCtLLzM9diVXw6k4fj_Dvz4='],
  ['base64.RawURLEncoding', 'cTktWiJrXFQ8Nz4mcCtLLzM9diVXw6k4fj_Dvz4'],
  ['base32.StdEncoding', 'OE4S2WRCNNOFIPBXHYTHAK2LF4ZT25RFK7B2SOD6H7B36PQ='],
  ['base32.HexEncoding', 'E4SIQMH2DDE58F1N7OJ70AQB5SPJQTH5AV1QIE3U7V1RUFG='],
  [
    'hex.Dump',
    '00000000  71 39 2d 5a 22 6b 5c 54  3c 37 3e 26 70 2b 4b 2f  |q9-Z"k\\T<7>&p+K/|\n00000010  33 3d 76 25 57 c3 a9 38  7e 3f c3 bf 3e           |3=v%W..8~?..>|\n',
  ],
  ['json.Marshal([]byte)', '"cTktWiJrXFQ8Nz4mcCtLLzM9diVXw6k4fj/Dvz4="'],
  ['json.Marshal(string)', '"q9-Z\\"k\\\\T\\u003c7\\u003e\\u0026p+K/3=v%Wé8~?ÿ\\u003e"'],
  [
    'json.Marshal(string) twice',
    '{"a":"\\"q9-Z\\\\\\"k\\\\\\\\T\\\\u003c7\\\\u003e\\\\u0026p+K/3=v%Wé8~?ÿ\\\\u003e\\""}',
  ],
  [
    'json.Marshal([]int)',
    '[113,57,45,90,34,107,92,84,60,55,62,38,112,43,75,47,51,61,118,37,87,195,169,56,126,63,195,191,62]',
  ],
  ['html.EscapeString', 'q9-Z&#34;k\\T&lt;7&gt;&amp;p+K/3=v%Wé8~?ÿ&gt;'],
  ['template.JSEscapeString', 'q9-Z\\"k\\\\T\\u003C7\\u003E\\u0026p+K/3\\u003Dv%Wé8~?ÿ\\u003E'],
  ['quotedprintable.NewWriter', 'q9-Z"k\\T<7>&p+K/3=3Dv%W=C3=A98~?=C3=BF>'],
  ['mime.QEncoding', '=?utf-8?q?q9-Z"k\\T<7>&p+K/3=3Dv%W=C3=A98~=3F=C3=BF>?='],
  ['mime.BEncoding', '=?utf-8?b?cTktWiJrXFQ8Nz4mcCtLLzM9diVXw6k4fj/Dvz4=?='],
  ['ascii85.Encode', 'EB,US,&:F_4?#GNE%=R71Hfn-=2V!sIQt`b4o'],
  ['base64 of base64', 'Y1RrdFdpSnJYRlE4Tno0bWNDdExMek05ZGlWWHc2azRmai9Edno0PQ=='],
  ['hex of %q', '2271392d5a5c226b5c5c543c373e26702b4b2f333d762557c3a9387e3fc3bf3e22'],
  [
    'base64 of %v',
    'WzExMyA1NyA0NSA5MCAzNCAxMDcgOTIgODQgNjAgNTUgNjIgMzggMTEyIDQzIDc1IDQ3IDUxIDYxIDExOCAzNyA4NyAxOTUgMTY5IDU2IDEyNiA2MyAxOTUgMTkxIDYyXQ==',
  ],
  [
    '%v of base64',
    '[99 84 107 116 87 105 74 114 88 70 81 56 78 122 52 109 99 67 116 76 76 122 77 57 100 105 86 88 119 54 107 52 102 106 47 68 118 122 52 61]',
  ],
  [
    '%x of %x',
    '37313339326435613232366235633534336333373365323637303262346232663333336437363235353763336139333837653366633362663365',
  ],
  ['QueryEscape of base64', 'cTktWiJrXFQ8Nz4mcCtLLzM9diVXw6k4fj%2FDvz4%3D'],
  [
    'base64 of QueryEscape',
    'cTktWiUyMmslNUNUJTNDNyUzRSUyNnAlMkJLJTJGMyUzRHYlMjVXJUMzJUE5OH4lM0YlQzMlQkYlM0U=',
  ],
  [
    'hex.Dump of base64',
    '00000000  63 54 6b 74 57 69 4a 72  58 46 51 38 4e 7a 34 6d  |cTktWiJrXFQ8Nz4m|\n00000010  63 43 74 4c 4c 7a 4d 39  64 69 56 58 77 36 6b 34  |cCtLLzM9diVXw6k4|\n00000020  66 6a 2f 44 76 7a 34 3d                           |fj/Dvz4=|\n',
  ],
  [
    'json.Marshal of %+q',
    '"\\"q9-Z\\\\\\"k\\\\\\\\T\\u003c7\\u003e\\u0026p+K/3=v%W\\\\u00e98~?\\\\u00ff\\u003e\\""',
  ],
  ['%q of html', '"q9-Z&#34;k\\\\T&lt;7&gt;&amp;p+K/3=v%Wé8~?ÿ&gt;"'],
  ['json.Marshal of base64 bytes', '"Y1RrdFdpSnJYRlE4Tno0bWNDdExMek05ZGlWWHc2azRmai9Edno0PQ=="'],
];
